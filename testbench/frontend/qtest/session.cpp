#include "testbench/frontend/qtest/session.h"

#include <stdexcept>
#include <utility>

#include "testbench/frontend/qtest/tray_deeds.h"

namespace ncqlab::qtest {

Session::Session(const SessionOptions& options)
    : options_(options),
      machine_(std::make_unique<Machine>(options.machine)),
      protocol_(*machine_, options.step),
      state_(options.state) {
  if (state_ != RunState::running) machine_->stop();
}

std::string Session::execute(std::string_view line) {
  const std::string answer = protocol_.execute(line);
  if (options_.keep_history && !answer.empty()) recording_.add_line(line, machine_->progress());
  note_tray_moves();
  if (state_ == RunState::running && machine_->stopped()) note_block_errors();
  return answer;
}

void Session::tell(Event event) {
  event.time = machine_->now();
  events_.push_back(std::move(event));
}

void Session::note_tray_moves() {
  for (const TrayMove& move : machine_->take_tray_moves()) tell({Event::Kind::tray_moved, {}, move, 0});
}

std::optional<std::string> Session::move_tray(std::string_view deed) {
  auto problem = qtest::move_tray(*machine_, deed);
  if (!problem && options_.keep_history) recording_.add_tray(deed);
  note_tray_moves();
  return problem;
}

void Session::note_block_errors() {
  for (const BlockError& error : machine_->take_block_errors()) tell({Event::Kind::block_io_error, error, {}, 0});
  state_ = RunState::io_error;
  tell({Event::Kind::stop, {}, {}, 0});
}

void Session::stop() {
  if (state_ != RunState::running) return;
  machine_->stop();
  state_ = RunState::paused;
  tell({Event::Kind::stop, {}, {}, 0});
}

void Session::resume() {
  if (state_ == RunState::running) return;
  state_ = RunState::running;
  machine_->resume();
  tell({Event::Kind::resume, {}, {}, 0});
  if (machine_->stopped()) note_block_errors();
}

std::vector<Event> Session::take_events() { return std::exchange(events_, {}); }

std::string Session::history() const {
  if (!options_.keep_history) throw std::runtime_error("this machine's history is not kept");
  if (!recording_.complete()) throw std::runtime_error("this machine's history is too long to be sent");
  return recording_.text(state_ != RunState::running, machine_->fingerprint());
}

void Session::migrate_away() {
  stop();
  state_ = RunState::postmigrate;
}

void Session::migrate_here(std::string_view history) {
  if (state_ != RunState::inmigrate) throw std::runtime_error("no machine is expected");
  auto machine = std::make_unique<Machine>(options_.machine);
  replay(history, *machine);
  protocol_.set_guest(*machine);
  machine_ = std::move(machine);
  machine_->take_irq_edges();
  machine_->take_tray_moves();
  recording_.continue_from(history);
  state_ = RunState::paused;
  if (!machine_->stopped()) resume();
}

void Session::write_back() const {
  if (state_ != RunState::postmigrate && state_ != RunState::inmigrate) machine_->write_back();
}

}  // namespace ncqlab::qtest
