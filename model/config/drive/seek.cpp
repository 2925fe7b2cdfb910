// Seek curves: which members belong to which, and their shape.
#include <algorithm>
#include <string>

#include "model/config/drive/sections.h"
#include "model/config/node.h"

namespace ncqlab::config {
namespace {

using drive::SeekCurve;

// A member, and the curves that have it.
struct CurveMember {
  std::string_view key;
  std::string_view curves;
  void (*read)(SeekCurve& curve, const Value& value);
};

constexpr std::string_view kFirstTen = "first_ten_ms";  // the one that may be left out: single_cylinder_ms instead

constexpr CurveMember kMembers[] = {
    {"single_cylinder_ms", "power three-point lee hpl",
     [](SeekCurve& c, const Value& v) { c.single_cylinder = v.time(); }},
    {"average_ms", "three-point lee", [](SeekCurve& c, const Value& v) { c.average = v.time(); }},
    {"exponent", "power", [](SeekCurve& c, const Value& v) { c.exponent = v.number(); }},
    {"knee_fraction", "power", [](SeekCurve& c, const Value& v) { c.knee_fraction = v.number(); }},
    {"knee_ms", "power", [](SeekCurve& c, const Value& v) { c.knee = v.time(); }},
    {"full_stroke_ms", "power three-point lee", [](SeekCurve& c, const Value& v) { c.full_stroke = v.time(); }},
    {"points", "table",
     [](SeekCurve& c, const Value& v) {
       for (const Value& point : v.items())
         c.points.push_back({point.at("cylinders").count(), point.at("time_ms").time()});
     }},
    {"boundary_cylinders", "hpl", [](SeekCurve& c, const Value& v) { c.hpl.boundary_cylinders = v.count(); }},
    {"short_base_ms", "hpl", [](SeekCurve& c, const Value& v) { c.hpl.short_base = v.time(); }},
    {"short_per_root_ms", "hpl", [](SeekCurve& c, const Value& v) { c.hpl.short_per_root = v.time(); }},
    {"long_base_ms", "hpl", [](SeekCurve& c, const Value& v) { c.hpl.long_base = v.time(); }},
    {"long_per_cylinder_ms", "hpl", [](SeekCurve& c, const Value& v) { c.hpl.long_per_cylinder = v.time(); }},
    {kFirstTen, "hpl",
     [](SeekCurve& c, const Value& v) {
       for (const Value& time : v.items()) c.hpl.first_ten.push_back(time.time());
     }},
};

// Whether `word` is one of the words of `list`.
bool among(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

std::string in_ms(sim::Time time) { return shown(sim::to_ms(time)); }

// `later` at `key` takes at least as long as `earlier`.
void check_rise(const std::string& at, const char* key, sim::Time later, const char* earlier_key, sim::Time earlier,
                Findings& errors) {
  if (later >= earlier) return;
  errors.add(at + key, "found " + in_ms(later), "at least " + at + earlier_key + " (" + in_ms(earlier) + ")");
}

void check_shape(const std::string& section, const SeekCurve& curve, Findings& errors) {
  const std::string at = section + "/";
  if (curve.curve == "power") {
    check_rise(at, "knee_ms", curve.knee, "single_cylinder_ms", curve.single_cylinder, errors);
    check_rise(at, "full_stroke_ms", curve.full_stroke, "knee_ms", curve.knee, errors);
  } else if (curve.curve == "three-point" || curve.curve == "lee") {
    check_rise(at, "average_ms", curve.average, "single_cylinder_ms", curve.single_cylinder, errors);
    check_rise(at, "full_stroke_ms", curve.full_stroke, "average_ms", curve.average, errors);
  }
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    if (curve.points[i].cylinders > curve.points[i - 1].cylinders) continue;
    errors.add(at + "points/" + std::to_string(i) + "/cylinders", "found " + std::to_string(curve.points[i].cylinders),
               "more than the point before has (" + std::to_string(curve.points[i - 1].cylinders) + ")");
  }
}

}  // namespace

drive::SeekCurve read_seek(const Value& section, Findings& errors) {
  SeekCurve curve;
  curve.curve = section.text_or("curve", "power");
  const bool lists_ten = curve.curve == "hpl" && section.has(kFirstTen);
  bool complete = true;
  for (const CurveMember& member : kMembers) {
    bool belongs = among(member.curves, curve.curve);
    if (member.key == kFirstTen) belongs = lists_ten;
    if (lists_ten && member.key == "single_cylinder_ms") belongs = false;
    const auto found = section.find(member.key);
    if (found.has_value() == belongs) {
      if (belongs) member.read(curve, *found);
      continue;
    }
    complete = false;
    std::string expected = (belongs ? "it, for curve " : "no such member for curve ") + curve.curve;
    if (!belongs && lists_ten) expected = "it or first_ten_ms, not both";
    errors.add(section.pointer() + "/" + std::string(member.key), belongs ? "missing" : "found", expected);
  }
  if (complete) check_shape(section.pointer(), curve, errors);
  return curve;
}

}  // namespace ncqlab::config
