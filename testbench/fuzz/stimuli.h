// What an input's bytes do to a machine, one step after another. A byte chooses what, those behind it the details;
// every choice is a remainder, so that every input means something and a changed byte changes little else.
//
//   guest_stimuli.cpp   registers, memory, configuration space     device_stimuli.cpp   frames, link, hot plug
#pragma once

#include "testbench/fuzz/machine.h"

namespace ncqlab::fuzz {

class Stimuli {
 public:
  Stimuli(Machine& machine, Input& input) : machine_(machine), input_(input) {}

  // One step; those that are time are over afterwards.
  void step();

 private:
  // guest_stimuli.cpp
  std::uint64_t any_address();
  void start_port();
  void write_port();
  void write_anywhere();
  void read_anywhere();
  void issue();
  void build_command();
  void store_anything();
  void access_configuration();
  void access_through_bars();
  void change_memory();
  void reset_something();
  void let_firmware_claim();

  // device_stimuli.cpp
  void choose_manner();
  void send_known_frame();
  void send_any_frame();
  void disturb_frames();
  void disturb_link();
  void plug_something();

  unsigned any_port() { return input_.below(kPorts); }

  Machine& machine_;
  Input& input_;
};

}  // namespace ncqlab::fuzz
