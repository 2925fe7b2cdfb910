#include "testbench/cli/diskinfo_output.h"

#include <cmath>
#include <cstdlib>
#include <optional>

#include "testbench/cli/profile_draft.h"

namespace ncqlab::cli {

namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// The number at the beginning of `text`, above 0.
std::optional<double> leading_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number <= 0 || number > 1e18) return std::nullopt;
  return number;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  DiskinfoOutput read() {
    const auto lines = read_lines(path_);
    for (const std::string& line : lines) {
      ++line_;
      if (const auto hash = line.find('#'); hash != std::string::npos) {
        read_fact(trimmed(line.substr(0, hash)), trimmed(line.substr(hash + 1)));
      } else if (const auto colon = line.find(':'); colon != std::string::npos) {
        read_measurement(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
      }
    }
    if (sector_bytes_ != 512)
      wrong_line(path_, line_, "sectors of " + std::to_string(sector_bytes_) + " bytes", "\"512 # sectorsize\" above");
    if (out_.capacity_sectors == 0) wrong_line(path_, line_, "the end", "\"... # mediasize in sectors\" before it");
    for (std::size_t i = 0; i < out_.seek_ms.size(); ++i) need(out_.seek_ms[i], out_.kSeekRows[i], "msec");
    for (std::size_t i = 0; i < out_.rate_kbytes.size(); ++i)
      need(out_.rate_kbytes[i], out_.kRateRows[i], "kbytes/sec");
    return out_;
  }

 private:
  void need(double figure, const char* row, const char* unit) const {
    if (figure != 0) return;
    wrong_line(path_, line_, "the end",
               std::string("a line \"") + row + ": ... = N " + unit + "\" before it (diskinfo -t prints it)");
  }

  void read_fact(const std::string& value, const std::string& what) {
    const auto begins = [&what](const char* with) { return what.rfind(with, 0) == 0; };
    if (begins("sectorsize")) {
      sector_bytes_ = static_cast<std::uint64_t>(number(value));
    } else if (begins("mediasize in sectors")) {
      out_.capacity_sectors = static_cast<std::uint64_t>(number(value));
    } else if (begins("Disk ident")) {
      out_.serial = value;
    } else if (begins("Disk descr")) {
      out_.model = value;
    } else if (begins("Rotation rate")) {
      if (const auto rpm = leading_number(value); rpm && *rpm >= 1025) out_.rpm = *rpm;
      out_.turns = out_.rpm != 0 || value == "Unknown";
    }
  }

  double number(const std::string& value) const {
    const auto found = leading_number(value);
    if (!found) wrong_line(path_, line_, "found \"" + value.substr(0, 30) + "\"", "a number above 0");
    return *found;
  }

  // Full stroke:  250 iter in   5.135019 sec =   20.540 msec
  void read_measurement(const std::string& row, const std::string& rest) {
    double* figure = nullptr;
    for (std::size_t i = 0; i < out_.seek_ms.size(); ++i) {
      if (row == out_.kSeekRows[i]) figure = &out_.seek_ms[i];
    }
    for (std::size_t i = 0; i < out_.rate_kbytes.size(); ++i) {
      if (row == out_.kRateRows[i]) figure = &out_.rate_kbytes[i];
    }
    if (figure == nullptr) return;  // a heading, or what other options print
    const auto equals = rest.find('=');
    const auto value = equals == std::string::npos ? std::nullopt : leading_number(rest.substr(equals + 1));
    if (!value)
      wrong_line(path_, line_, "found \"" + rest.substr(0, 40) + "\"", "\"N iter in N sec = N\" with a figure above 0");
    *figure = *value;
  }

  const std::string& path_;
  std::size_t line_ = 0;
  std::uint64_t sector_bytes_ = 0;
  DiskinfoOutput out_;
};

}  // namespace

DiskinfoOutput read_diskinfo(const std::string& path) { return Reader(path).read(); }

}  // namespace ncqlab::cli
