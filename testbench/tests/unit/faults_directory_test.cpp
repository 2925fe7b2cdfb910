// The directory of names agrees with itself: what is registered can be found, read, set and done where it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/faults/action.h"
#include "model/faults/directory.h"

namespace ncqlab::faults {
namespace {

TEST(FaultDirectory, EveryNameIsThereOnceAndHasAMeaning) {
  std::set<std::string> names;
  for (const Object& object : Directory::get().objects()) {
    EXPECT_NE(std::string(object.meaning), "") << object.name;
    for (const Field& field : object.fields) {
      const std::string name = std::string(object.name) + "." + field.name;
      EXPECT_TRUE(names.insert(name).second) << name;
      EXPECT_NE(std::string(field.meaning), "") << name;
      EXPECT_LE(field.least, field.most) << name;
      EXPECT_NE(field.get, nullptr) << name;
    }
  }
  for (const Hook& hook : Directory::get().hooks()) EXPECT_TRUE(names.insert(hook.name).second) << hook.name;
}

TEST(FaultDirectory, WhatAHookShowsAndDoesExists) {
  for (const Hook& hook : Directory::get().hooks()) {
    for (const char* object : hook.objects) EXPECT_NE(Directory::get().find_object(object), Directory::kNone) << object;
    for (const char* action : hook.actions) {
      EXPECT_TRUE(std::any_of(action_kinds().begin(), action_kinds().end(), [action](const ActionKind& kind) {
        return std::string(kind.name) == action;
      })) << action;
    }
    EXPECT_LE(hook.skips.size(), 32U) << hook.name;
  }
  EXPECT_LE(Directory::get().objects().size(), kMostObjects);
}

// The action `set` keeps the low bits of what does not fit.
TEST(FaultDirectory, WhatCanBeSetHasAllItsBitsAndIsShownThere) {
  for (const Object& object : Directory::get().objects()) {
    for (const Field& field : object.fields) {
      EXPECT_EQ(field.set == nullptr, field.settable_at.empty()) << field.name;
      if (field.set == nullptr) continue;
      EXPECT_EQ(field.least, 0) << field.name;
      EXPECT_EQ(field.most & (field.most + 1), 0) << field.name;
      for (const char* name : field.settable_at) {
        const Hook* hook = Directory::get().find_hook(name);
        ASSERT_NE(hook, nullptr) << name;
        EXPECT_TRUE(std::any_of(hook->objects.begin(), hook->objects.end(),
                                [&object](const char* shown) { return std::string(object.name) == shown; }))
            << field.name << " at " << name;
      }
    }
  }
}

}  // namespace
}  // namespace ncqlab::faults
