// Reading a section of a file member by member, as a table: which key holds which member of the struct. The schema
// keeps the numbers in range.
//
//   constexpr Member<drive::Interface> kInterface[] = {{"generation", &drive::Interface::generation}, ...};
//   read_members(section, kInterface, result);
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "model/config/document.h"
#include "model/sim/time.h"

namespace ncqlab::config {

// A sim::Time is read from a key that ends in its unit. It is the one signed 64-bit integer of a profile.
template <class Owner>
struct Member {
  std::string_view key;
  std::variant<bool Owner::*, unsigned Owner::*, std::uint64_t Owner::*, sim::Time Owner::*, double Owner::*,
               std::string Owner::*>
      member;
};

namespace detail {
inline void read_into(const Value& value, bool& to) { to = value.flag(); }
inline void read_into(const Value& value, unsigned& to) { to = static_cast<unsigned>(value.count()); }
inline void read_into(const Value& value, std::uint64_t& to) { to = value.count(); }
inline void read_into(const Value& value, sim::Time& to) { to = value.time(); }
inline void read_into(const Value& value, double& to) { to = value.number(); }
inline void read_into(const Value& value, std::string& to) { to = value.text(); }
}  // namespace detail

template <class Owner, std::size_t kMembers>
void read_members(const Value& section, const Member<Owner> (&members)[kMembers], Owner& owner) {
  for (const Member<Owner>& one : members) {
    const Value value = section.at(one.key);
    std::visit([&](auto member) { detail::read_into(value, owner.*member); }, one.member);
  }
}

template <class Owner>
struct Flag {
  std::string_view name;
  bool Owner::*member;
};

// Sets the flags whose names are in the list, and clears the others.
template <class Owner, std::size_t kFlags>
void read_flags(const Value& list, const Flag<Owner> (&flags)[kFlags], Owner& owner) {
  for (const Flag<Owner>& flag : flags) owner.*flag.member = false;
  for (const Value& item : list.items()) {
    for (const Flag<Owner>& flag : flags) {
      if (item.text() == flag.name) owner.*flag.member = true;
    }
  }
}

}  // namespace ncqlab::config
