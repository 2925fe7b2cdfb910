#include <string>
#include <utility>

#include "model/faults/expression/error.h"
#include "model/faults/expression/lexer.h"
#include "model/faults/expression/syntax.h"

namespace ncqlab::faults {

namespace {

// Parentheses, "not" and "-" within each other: so that neither parser nor evaluator runs out of stack.
constexpr unsigned kDeepest = 32;

struct Spelling {
  const char* text;
  Operator op;
};
constexpr Spelling kOr[] = {{"or", Operator::logical_or}};
constexpr Spelling kAnd[] = {{"and", Operator::logical_and}};
constexpr Spelling kComparisons[] = {{"==", Operator::equal},  {"!=", Operator::not_equal},
                                     {"<", Operator::less},    {"<=", Operator::less_equal},
                                     {">", Operator::greater}, {">=", Operator::greater_equal}};
constexpr Spelling kSums[] = {
    {"+", Operator::add}, {"-", Operator::subtract}, {"|", Operator::bit_or}, {"^", Operator::bit_xor}};
constexpr Spelling kTerms[] = {{"*", Operator::multiply},
                               {"%", Operator::modulo},
                               {"&", Operator::bit_and},
                               {"<<", Operator::shift_left},
                               {">>", Operator::shift_right}};

using Kind = Syntax::Node::Kind;

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

  Syntax all() {
    expression();
    if (now().kind != Token::Kind::end) wrong("an operator or the end");
    return std::move(syntax_);
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  bool is(const char* text) const {
    return (now().kind == Token::Kind::symbol || now().kind == Token::Kind::word) && now().text == text;
  }
  bool take(const char* text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void need(const char* text) {
    if (!take(text)) wrong("'" + std::string(text) + "'");
  }
  [[noreturn]] void wrong(const std::string& expected) const {
    const bool end = now().kind == Token::Kind::end;
    throw ExpressionError(now().column, end ? "the end" : "'" + now().text.substr(0, 40) + "'", expected);
  }

  std::size_t add(Syntax::Node node) {
    syntax_.nodes.push_back(std::move(node));
    return syntax_.nodes.size() - 1;
  }

  template <std::size_t kCount>
  const Spelling* operator_among(const Spelling (&spellings)[kCount]) const {
    for (const Spelling& spelling : spellings) {
      if (is(spelling.text)) return &spelling;
    }
    return nullptr;
  }

  // operand { operator operand }
  template <std::size_t kCount>
  std::size_t chain(const Spelling (&spellings)[kCount], std::size_t (Parser::*operand)()) {
    std::size_t left = (this->*operand)();
    while (const Spelling* spelling = operator_among(spellings)) left = binary(*spelling, left, operand);
    return left;
  }

  std::size_t binary(const Spelling& spelling, std::size_t left, std::size_t (Parser::*operand)()) {
    Syntax::Node node{Kind::binary, now().column};
    ++at_;
    node.op = spelling.op;
    node.left = left;
    node.right = (this->*operand)();
    return add(std::move(node));
  }

  std::size_t expression() { return chain(kOr, &Parser::conjunction); }
  std::size_t conjunction() { return chain(kAnd, &Parser::negation); }

  std::size_t negation() {
    if (!is("not")) return comparison();
    return prefixed(Kind::logical_not, &Parser::negation);
  }

  std::size_t comparison() {
    const std::size_t column = now().column;
    const std::size_t left = sum();
    if (const Spelling* spelling = operator_among(kComparisons)) return binary(*spelling, left, &Parser::sum);
    const bool negated = take("not");
    if (!is("in")) {
      if (negated) wrong("'in'");
      return left;
    }
    ++at_;
    const std::size_t in = set(left, column);
    if (!negated) return in;
    Syntax::Node node{Kind::logical_not, column};
    node.left = in;
    return add(std::move(node));
  }

  std::size_t set(std::size_t left, std::size_t column) {
    Syntax::Node node{Kind::in_set, column};
    node.left = left;
    need("{");
    do {
      const Syntax::Bound first = bound();
      const Syntax::Bound last = take("..") ? bound() : first;
      node.set.emplace_back(first, last);
    } while (take(","));
    if (!take("}")) wrong("',', '..' or '}'");
    return add(std::move(node));
  }

  Syntax::Bound bound() {
    Syntax::Bound result{now().column, {}, 0};
    const bool negative = take("-");
    if (now().kind == Token::Kind::number) {
      result.value = negative ? -now().number : now().number;
    } else if (now().kind == Token::Kind::word && !negative) {
      result.name = now().text;
    } else {
      wrong("a number or a state");
    }
    ++at_;
    return result;
  }

  std::size_t sum() { return chain(kSums, &Parser::term); }
  std::size_t term() { return chain(kTerms, &Parser::factor); }

  std::size_t factor() {
    if (is("-")) return prefixed(Kind::negative, &Parser::factor);
    Syntax::Node node{Kind::number, now().column};
    if (is("(")) {
      enter();
      ++at_;
      const std::size_t inner = expression();
      need(")");
      --depth_;
      return inner;
    }
    if (now().kind == Token::Kind::number) {
      node.value = now().number;
    } else if (is("true") || is("false")) {
      node.kind = Kind::boolean;
      node.value = is("true") ? 1 : 0;
    } else if (now().kind == Token::Kind::word && !is("and") && !is("or") && !is("not") && !is("in")) {
      node.kind = Kind::name;
      node.name = now().text;
    } else {
      wrong("a number, a name or '('");
    }
    ++at_;
    return add(std::move(node));
  }

  std::size_t prefixed(Kind kind, std::size_t (Parser::*operand)()) {
    Syntax::Node node{kind, now().column};
    enter();
    ++at_;
    node.left = (this->*operand)();
    --depth_;
    return add(std::move(node));
  }

  void enter() {
    if (++depth_ > kDeepest) throw ExpressionError(now().column, "nesting", "at most 32 levels");
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  Syntax syntax_;
};

}  // namespace

Syntax parse(std::string_view text) { return Parser(text).all(); }

}  // namespace ncqlab::faults
