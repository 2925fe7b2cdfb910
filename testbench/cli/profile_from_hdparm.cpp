// `ncqlab profile from-hdparm`: from the 256 words of IDENTIFY DEVICE that `hdparm --Istdout /dev/sdX` prints, eight
// words of four hexadecimal digits a line under the name of the device. Words: ACS-3, 7.12.7.
#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "model/config/error.h"
#include "testbench/cli/profile_draft.h"

namespace ncqlab::cli {

namespace {

constexpr std::size_t kWords = 256;
constexpr const char* kLine = "words of four hexadecimal digits, as hdparm --Istdout prints them";

class Identify {
 public:
  explicit Identify(const std::string& path) : path_(path) { read(); }

  std::uint16_t operator[](std::size_t word) const { return words_[word]; }
  bool bit(std::size_t word, unsigned number) const { return (words_[word] >> number & 1) != 0; }
  // Words 82 to 84 and their like say by bits 15:14 that they mean something.
  bool valid(std::size_t word) const { return words_[word] >> 14 == 1; }
  bool supports(std::size_t word, unsigned number) const { return valid(word) && bit(word, number); }
  std::string text(std::size_t first, std::size_t count) const;
  std::uint64_t number(std::size_t first, std::size_t count) const;
  const std::array<std::uint16_t, kWords>& words() const { return words_; }
  [[noreturn]] void wrong(std::size_t word, const std::string& found, const std::string& expected) const {
    wrong_line(path_, line_of_[word], "word " + std::to_string(word) + ": " + found, expected);
  }

 private:
  void read();

  const std::string& path_;
  std::array<std::uint16_t, kWords> words_{};
  std::array<std::size_t, kWords> line_of_{};
};

void Identify::read() {
  const auto lines = read_lines(path_);
  std::size_t count = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find_first_not_of(" \t") == std::string::npos || lines[i].back() == ':')
      continue;  // the device's name
    std::istringstream stream(lines[i]);
    for (std::string word; stream >> word;) {
      const bool hexadecimal = word.size() == 4 && std::all_of(word.begin(), word.end(),
                                                               [](unsigned char c) { return std::isxdigit(c) != 0; });
      if (!hexadecimal) wrong_line(path_, i + 1, "found \"" + word.substr(0, 20) + "\"", kLine);
      if (count == kWords) wrong_line(path_, i + 1, "more than 256 words", "the words of one drive");
      line_of_[count] = i + 1;
      words_[count++] = static_cast<std::uint16_t>(std::stoul(word, nullptr, 16));
    }
  }
  if (count < kWords) wrong_line(path_, lines.size(), "the file ends after " + std::to_string(count) + " words", "256");
}

// The first character is in the upper byte. What is no ASCII becomes a question mark; blanks around it go.
std::string Identify::text(std::size_t first, std::size_t count) const {
  std::string text;
  for (std::size_t i = first; i < first + count; ++i) {
    for (const unsigned shift : {8U, 0U}) {
      const unsigned c = words_[i] >> shift & 0xFFU;
      text += c == 0 ? ' ' : c < 0x20 || c > 0x7E ? '?' : static_cast<char>(c);
    }
  }
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? "?" : text;
}

std::uint64_t Identify::number(std::size_t first, std::size_t count) const {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number |= static_cast<std::uint64_t>(words_[first + i]) << (16 * i);
  return number;
}

void check(const Identify& words) {
  if (words.bit(0, 15)) words.wrong(0, "bit 15 is set: no ATA device", "a disk's IDENTIFY DEVICE");
  if ((words[255] & 0xFF) == 0xA5) {
    unsigned sum = 0;
    for (const std::uint16_t word : words.words()) sum += (word & 0xFFU) + (word >> 8U);
    if ((sum & 0xFF) != 0) words.wrong(255, "the checksum of all words does not fit", "an unchanged dump");
  }
  if (words.valid(106) && words.bit(106, 12) && words.number(117, 2) != 256) {
    words.wrong(106, "logical sectors of " + std::to_string(words.number(117, 2) * 2) + " bytes",
                "512 bytes: this model has no others");
  }
}

KnownDrive known_of(const Identify& words) {
  KnownDrive known;
  known.model = words.text(27, 20);
  known.serial = words.text(10, 10);
  known.firmware = words.text(23, 4);
  known.capacity_sectors = words.supports(83, 10) ? words.number(100, 4) : words.number(60, 2);
  if (known.capacity_sectors == 0) words.wrong(60, "a capacity of 0 sectors", "some");
  known.turns = words[217] != 1;
  if (words[217] >= 0x0401 && words[217] != 0xFFFF) known.rpm = words[217];
  const bool serial = words[76] != 0 && words[76] != 0xFFFF;
  for (unsigned generation = 1; serial && generation <= 3; ++generation) {
    if (words.bit(76, generation)) known.generation = generation;
  }
  known.ncq = serial && words.bit(76, 8);
  known.queue_depth = (words[75] & 0x1FU) + 1U;
  if (words[21] != 0 && words[21] != 0xFFFF) known.buffer_bytes = words[21] * 512ULL;
  return known;
}

void put_features(const Identify& words, nlohmann::ordered_json& json) {
  struct Feature {
    const char* name;
    bool there;
  };
  const bool amac = words.supports(119, 8);
  const Feature features[] = {
      {"unload", words.supports(84, 13)},
      {"power_up_in_standby", words.supports(83, 5)},
      {"advanced_power_management", words.supports(83, 3)},
      {"acoustic_management", words.supports(83, 9)},
      {"host_protected_area", words.bit(82, 10) && !amac},
      {"accessible_max_address", amac},
      {"security", words.bit(82, 1)},
      {"download_microcode", words.supports(83, 0)},
      {"write_uncorrectable", words.supports(119, 2)},
      {"sense_data_reporting", words.supports(119, 6)},
      {"buffers", words.bit(82, 12) && words.bit(82, 13)},
      {"phy_event_counters", words[76] != 0xFFFF && words.bit(76, 10)},
  };
  json["features"] = nlohmann::ordered_json::array();
  for (const Feature& feature : features) {
    if (feature.there) json["features"].push_back(feature.name);
  }
}

void put_serial_ata(const Identify& words, nlohmann::ordered_json& json) {
  if (words[76] == 0 || words[76] == 0xFFFF) return;
  nlohmann::ordered_json& sata = json["serial_ata"];
  sata["buffer_offsets"] = words.bit(78, 1);
  sata["auto_activate"] = words.bit(78, 2);
  sata["device_power"] = words.bit(78, 3);
  sata["in_order_delivery"] = words.bit(78, 4);
  sata["ncq_autosense"] = words.bit(78, 7);
  sata["device_sleep"] = words.bit(78, 8);
  sata["host_power"] = words.bit(76, 9);
  sata["ncq_priority"] = words.bit(76, 12);
  sata["ncq_management"] = words.bit(77, 5);
  sata["ncq_send_receive"] = words.bit(77, 6);
  sata["read_log_dma"] = words.bit(76, 15) || words.supports(119, 3);
  if (words.bit(169, 0)) sata["trim_blocks"] = std::max<unsigned>(1, words[105]);
}

void put_physical_sectors(const Identify& words, ProfileDraft& draft) {
  if (!words.valid(106) || !words.bit(106, 13)) return;
  const unsigned exponent = words[106] & 0xFU;
  if (exponent > 7)
    words.wrong(106, "2^" + std::to_string(exponent) + " logical sectors a physical one", "2^7 at most");
  const unsigned offset = words.valid(209) ? words[209] & 0x3FFFU : 0;
  draft.json()["physical_sectors"] = {{"bytes", 512U << exponent}, {"lba_0_offset", offset}};
  draft.add_source("/physical_sectors", "IDENTIFY DEVICE words 106 and 209", "measured");
}

}  // namespace

std::string profile_from_hdparm(const std::string& path) {
  const Identify words(path);
  check(words);
  const KnownDrive known = known_of(words);
  ProfileDraft draft(known, path);
  nlohmann::ordered_json& json = draft.json();
  put_features(words, json);
  put_serial_ata(words, json);
  put_physical_sectors(words, draft);
  json["write_cache"]["enabled"] = words.bit(82, 5) && words.bit(85, 5);
  json["identify_words"] = words.words();
  draft.add_source("/identify_words", "IDENTIFY DEVICE of the drive itself", "measured");
  draft.add_source("/capacity_sectors", "IDENTIFY DEVICE words 60, 61 and 100 to 103", "measured");
  draft.add_source("/serial_ata/trim_blocks", "IDENTIFY DEVICE words 105 and 169", "measured");
  draft.add_source("/interface/queue_depth", "IDENTIFY DEVICE word 75", "measured");
  if (known.generation != 0) draft.add_source("/interface/generation", "IDENTIFY DEVICE word 76", "measured");
  if (known.rpm != 0) draft.add_source("/mechanics/rpm", "IDENTIFY DEVICE word 217", "measured");
  return draft.text();
}

}  // namespace ncqlab::cli
