// Documents: text to values, typed getters, times by the unit of their key, malformed text, schemas of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "model/config/document.h"

namespace ncqlab::config {
namespace {

using testing::ElementsAre;

Value read(std::string_view text) { return Document::parse(text, "f.json").root(); }

std::vector<std::string> errors_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& e) {
    return e.lines();
  }
  return {};
}

std::vector<std::string> errors_of(std::string_view text) {
  return errors_of([text] { Document::parse(text, "f.json"); });
}

TEST(Document, ValuesAreFoundByPointer) {
  const auto root = read(R"({"a": {"b": [10, {"c/d": "x"}]}})");
  EXPECT_EQ(root.at("/a/b/0").integer(), 10);
  EXPECT_EQ(root.at("a/b/1/c~1d").text(), "x");
  EXPECT_EQ(root.at("/a").at("/b/1/c~1d").pointer(), "/a/b/1/c~1d");
  EXPECT_FALSE(root.has("/a/b/2"));
  EXPECT_FALSE(root.has("/a/b/x"));
}

TEST(Document, CommentsOfBothKindsAreSkipped) {
  EXPECT_EQ(read("// one\n{/* two */ \"a\": 1 // three\n}").at("/a").integer(), 1);
}

TEST(Document, MembersComeInTheOrderOfTheFile) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : read(R"({"z": 1, "a": 2, "m": 3})").members()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("z", "a", "m"));
}

TEST(Document, AValueOutlivesItsDocument) {
  const Value value = read(R"({"a": "long enough to be on the heap, surely"})").at("/a");
  EXPECT_EQ(value.text(), "long enough to be on the heap, surely");
}

TEST(Document, TheUnitOfATimeStandsInItsKey) {
  const auto root = read(R"({"a_s": 2, "b_ms": 1.5, "c_us": 0.25, "d_ns": 6.667, "e_ms": [1, 2]})");
  EXPECT_EQ(root.at("/a_s").time(), 2 * sim::kSecond);
  EXPECT_EQ(root.at("/b_ms").time(), 1'500'000'000);
  EXPECT_EQ(root.at("/c_us").time(), 250'000);
  EXPECT_EQ(root.at("/d_ns").time(), 6'667);
  EXPECT_EQ(root.at("/e_ms/1").time(), 2 * sim::kMillisecond);
}

TEST(Document, ATimeWithoutAUnitIsAMistakeOfTheReader) {
  EXPECT_THROW(read(R"({"a": 2})").at("/a").time(), std::logic_error);
}

TEST(Document, ATimeBeyondTheLimitIsRefused) {
  const auto root = read(R"({"a_s": 9000000, "b_s": 9000001})");
  EXPECT_EQ(root.at("/a_s").time(), sim::kTimeLimit);
  EXPECT_THAT(errors_of([&root] { root.at("/b_s").time(); }),
              ElementsAre("f.json: /b_s: found 9000001, expected a time of at most 2500 h"));
}

TEST(Document, GettersRefuseOtherKinds) {
  const auto root = read(R"({"a": 1.5, "b": -1, "c": "x", "d": null})");
  EXPECT_THAT(errors_of([&root] { root.at("/a").integer(); }),
              ElementsAre("f.json: /a: found 1.5, expected an integer"));
  EXPECT_THAT(errors_of([&root] { root.at("/b").count(); }),
              ElementsAre("f.json: /b: found -1, expected an integer of at least 0"));
  EXPECT_THAT(errors_of([&root] { root.at("/c").number(); }),
              ElementsAre("f.json: /c: found \"x\", expected a number"));
  EXPECT_THAT(errors_of([&root] { root.at("/a").text(); }), ElementsAre("f.json: /a: found 1.5, expected a string"));
  EXPECT_THAT(errors_of([&root] { root.at("/d").flag(); }),
              ElementsAre("f.json: /d: found null, expected true or false"));
  EXPECT_THAT(errors_of([&root] { root.at("/c").items(); }), ElementsAre("f.json: /c: found \"x\", expected an array"));
  EXPECT_THAT(errors_of([&root] { root.at("/c").members(); }),
              ElementsAre("f.json: /c: found \"x\", expected an object"));
  EXPECT_THAT(errors_of([&root] { root.at("/e/f"); }), ElementsAre("f.json: /e/f: missing, expected a value"));
}

TEST(Document, AnAbsentValueTakesTheReadersDefault) {
  const auto root = read(R"({"a": 1.5, "b": 2, "c": "x", "d": true, "e_ms": 1})");
  EXPECT_EQ(root.number_or("/a", 9), 1.5);
  EXPECT_EQ(root.number_or("/z", 9), 9);
  EXPECT_EQ(root.integer_or("/b", -9), 2);
  EXPECT_EQ(root.integer_or("/z", -9), -9);
  EXPECT_EQ(root.count_or("/b", 9), 2U);
  EXPECT_EQ(root.count_or("/z", 9), 9U);
  EXPECT_EQ(root.text_or("/c", "y"), "x");
  EXPECT_EQ(root.text_or("/z", "y"), "y");
  EXPECT_TRUE(root.flag_or("/d", false));
  EXPECT_FALSE(root.flag_or("/z", false));
  EXPECT_EQ(root.time_or("/e_ms", 5), sim::kMillisecond);
  EXPECT_EQ(root.time_or("/z_ms", 5), 5);
}

TEST(MalformedJson, IsNamedWithLineAndColumn) {
  EXPECT_THAT(errors_of("{\n  \"a\": }\n"), ElementsAre("f.json:2:8: unexpected '}', expected '[', '{', or a literal"));
}

TEST(MalformedJson, AnEmptyFileIsNamed) {
  EXPECT_THAT(errors_of(""), ElementsAre("f.json:1:1: unexpected end of input, expected '[', '{', or a literal"));
}

TEST(MalformedJson, AnUnfinishedFileIsNamed) {
  EXPECT_THAT(errors_of("{\"a\": 1"), ElementsAre("f.json:1:8: unexpected end of input, expected '}'"));
}

TEST(MalformedJson, TextAfterTheEndIsNamed) {
  EXPECT_THAT(errors_of("{}\n{}"), ElementsAre("f.json:2:1: unexpected '{', expected end of input"));
}

TEST(MalformedJson, ANumberTooLargeForADoubleIsNamed) {
  EXPECT_THAT(errors_of("[1e999]"), ElementsAre("f.json:1:6: number overflow parsing '1e999'"));
}

TEST(MalformedJson, SixtyFourLevelsAreReadAndOneMoreIsNot) {
  EXPECT_THAT(errors_of(std::string(64, '[') + std::string(64, ']')), ElementsAre());
  std::string deep;
  for (int i = 0; i < 64; ++i) deep += "/0";
  EXPECT_THAT(errors_of(std::string(65, '[') + std::string(65, ']')),
              ElementsAre("f.json: " + deep.substr(0, 63 * 2) + ": nested deeper than 64 levels, expected fewer"));
}

TEST(MalformedJson, EveryDuplicateIsNamedWithItsPlace) {
  EXPECT_THAT(errors_of(R"({"a": [{"b": 1, "b": 2}], "a": 3})"),
              ElementsAre("f.json: /a/0/b: key given twice, expected it once",
                          "f.json: /a: key given twice, expected it once"));
}

TEST(DocumentFile, AMissingFileIsNamed) {
  EXPECT_THAT(errors_of([] { Document::load("no/such.json"); }),
              ElementsAre("no/such.json: No such file or directory, expected a readable JSON file"));
}

TEST(DocumentFile, AFolderIsNoFile) {
  EXPECT_THAT(errors_of([] { Document::load("testbench"); }),
              ElementsAre("testbench: a directory, expected a JSON file"));
}

class Schema : public testing::Test {
 protected:
  static std::vector<std::string> errors(std::string_view schema, std::string_view text) {
    return errors_of([schema, text] { Document::parse(text, "f.json").validate(Document::parse(schema, "s.json")); });
  }
};

TEST_F(Schema, ReferencesToDefinitionsAreFollowed) {
  const auto* schema = R"({"definitions": {"n": {"type": "integer", "minimum": 3}},
                           "properties": {"a": {"$ref": "#/definitions/n"}}})";
  EXPECT_THAT(errors(schema, R"({"a": 3})"), ElementsAre());
  EXPECT_THAT(errors(schema, R"({"a": 2})"), ElementsAre("f.json: /a: found 2, expected an integer of at least 3"));
}

TEST_F(Schema, MapsCheckEveryMember) {
  const auto* schema = R"({"type": "object", "additionalProperties": {"type": "number", "maximum": 1}})";
  EXPECT_THAT(errors(schema, R"({"a": 0, "b": 2, "c": []})"),
              ElementsAre("f.json: /b: found 2, expected a number of at most 1",
                          "f.json: /c: found [], expected a number of at most 1"));
}

TEST_F(Schema, ItemsAreNamedByTheirIndex) {
  const auto* schema = R"({"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}})";
  EXPECT_THAT(errors(schema, R"(["x", ""])"),
              ElementsAre("f.json: /1: found \"\", expected a string of at least 1 characters"));
  EXPECT_THAT(errors(schema, "[]"), ElementsAre("f.json: /: found [], expected an array of at least 1 items"));
}

TEST_F(Schema, ARuleWithoutWordsOfOursHasTheValidators) {
  EXPECT_THAT(errors(R"({"type": "array", "uniqueItems": true})", "[1, 1]"),
              ElementsAre("f.json: /: found [...], expected what the schema allows (Elements at indexes #0 and #1 "
                          "violate uniqueness constraint.)"));
}

TEST_F(Schema, ABrokenSchemaIsTheSchemasError) {
  EXPECT_THAT(errors(R"({"type": 5})", "1"), ElementsAre(testing::StartsWith("s.json: /: ")));
}

}  // namespace
}  // namespace ncqlab::config
