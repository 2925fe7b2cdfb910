// What the drive says of itself, and its end of the link.
#include <algorithm>
#include <string>

#include "model/config/drive/sections.h"
#include "model/config/members.h"

namespace ncqlab::config {
namespace {

constexpr Member<drive::Identity> kIdentity[] = {
    {"model", &drive::Identity::model},
    {"serial", &drive::Identity::serial},
    {"firmware", &drive::Identity::firmware},
};

constexpr Member<drive::Interface> kInterface[] = {
    {"generation", &drive::Interface::generation},
    {"queue_depth", &drive::Interface::queue_depth},
    {"ncq", &drive::Interface::ncq},
    {"ready_after_reset_ms", &drive::Interface::ready_after_reset},
};

constexpr Member<drive::SerialAta> kSerialAta[] = {
    {"auto_activate", &drive::SerialAta::auto_activate},
    {"buffer_offsets", &drive::SerialAta::buffer_offsets},
    {"in_order_delivery", &drive::SerialAta::in_order_delivery},
    {"data_phase_sectors", &drive::SerialAta::data_phase_sectors},
    {"ncq_priority", &drive::SerialAta::ncq_priority},
    {"ncq_management", &drive::SerialAta::ncq_management},
    {"ncq_send_receive", &drive::SerialAta::ncq_send_receive},
    {"ncq_autosense", &drive::SerialAta::ncq_autosense},
    {"read_log_dma", &drive::SerialAta::read_log_dma},
    {"trim_blocks", &drive::SerialAta::trim_blocks},
    {"host_power", &drive::SerialAta::host_power},
    {"device_power", &drive::SerialAta::device_power},
    {"device_sleep", &drive::SerialAta::device_sleep},
    {"partial_after_idle_ms", &drive::SerialAta::partial_after_idle},
    {"slumber_after_idle_ms", &drive::SerialAta::slumber_after_idle},
};

constexpr Flag<drive::Departures> kDepartures[] = {
    {"register_fis_after_pio_in", &drive::Departures::register_fis_after_pio_in},
    {"long_28_bit_counts", &drive::Departures::long_28_bit_counts},
    {"sector_bytes_in_word_5", &drive::Departures::sector_bytes_in_word_5},
};

// ATA strings are made of the characters 20h to 7Eh (ACS-3, 3.4.9).
void check_characters(const std::string& pointer, const std::string& text, Findings& errors) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return c < 0x20 || c > 0x7E; })) {
    errors.add(pointer, "a character outside ASCII 20h to 7Eh", "none: ATA strings have no others");
  }
}

}  // namespace

void read_ata(const Value& root, drive::Profile& profile) {
  read_members(root.at("identity"), kIdentity, profile.identity);
  read_members(root.at("interface"), kInterface, profile.interface);
  read_members(root.at("serial_ata"), kSerialAta, profile.serial_ata);
  read_flags(root.at("departures"), kDepartures, profile.departures);
}

void check_identity(const drive::Identity& identity, Findings& errors) {
  check_characters("/identity/model", identity.model, errors);
  check_characters("/identity/serial", identity.serial, errors);
  check_characters("/identity/firmware", identity.firmware, errors);
}

}  // namespace ncqlab::config
