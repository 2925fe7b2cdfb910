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

constexpr Flag<drive::FeatureSets> kFeatures[] = {
    {"unload", &drive::FeatureSets::unload},
    {"power_up_in_standby", &drive::FeatureSets::power_up_in_standby},
    {"advanced_power_management", &drive::FeatureSets::advanced_power_management},
    {"acoustic_management", &drive::FeatureSets::acoustic_management},
    {"host_protected_area", &drive::FeatureSets::host_protected_area},
    {"accessible_max_address", &drive::FeatureSets::accessible_max_address},
    {"security", &drive::FeatureSets::security},
    {"download_microcode", &drive::FeatureSets::download_microcode},
    {"write_uncorrectable", &drive::FeatureSets::write_uncorrectable},
    {"sense_data_reporting", &drive::FeatureSets::sense_data_reporting},
    {"buffers", &drive::FeatureSets::buffers},
    {"device_statistics", &drive::FeatureSets::device_statistics},
    {"phy_event_counters", &drive::FeatureSets::phy_event_counters},
    {"identify_data_log", &drive::FeatureSets::identify_data_log},
};

constexpr Member<drive::Erase> kErase[] = {
    {"security_erase_s", &drive::Erase::security_erase},
    {"enhanced_security_erase_s", &drive::Erase::enhanced_security_erase},
};

constexpr Member<drive::SmartAttribute> kSmartAttribute[] = {
    {"id", &drive::SmartAttribute::id},
    {"flags", &drive::SmartAttribute::flags},
    {"value", &drive::SmartAttribute::value},
    {"worst", &drive::SmartAttribute::worst},
    {"threshold", &drive::SmartAttribute::threshold},
    {"raw", &drive::SmartAttribute::raw},
};

constexpr Member<drive::Smart> kSmart[] = {
    {"offline_collection_s", &drive::Smart::offline_collection},
    {"short_self_test_s", &drive::Smart::short_self_test},
    {"extended_self_test_s", &drive::Smart::extended_self_test},
    {"temperature_celsius", &drive::Smart::temperature_celsius},
};

constexpr Member<drive::CommandTransport> kSct[] = {
    {"read_recovery_limit_100ms", &drive::CommandTransport::read_recovery_limit},
    {"write_recovery_limit_100ms", &drive::CommandTransport::write_recovery_limit},
};

constexpr Member<drive::Spindle> kSpindle[] = {
    {"spin_up_ms", &drive::Spindle::spin_up},
    {"spin_down_ms", &drive::Spindle::spin_down},
};

constexpr Member<drive::HeadUnload> kHeadUnload[] = {
    {"load_ms", &drive::HeadUnload::load},
    {"unload_after_idle_ms", &drive::HeadUnload::unload_after_idle},
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

// Sections that only some drives have: what is left out is absent.
void read_optional(const Value& root, drive::Profile& profile) {
  if (const auto features = root.find("features")) read_flags(*features, kFeatures, profile.features);
  if (const auto erase = root.find("erase")) read_members(*erase, kErase, profile.erase);
  if (const auto spindle = root.find("spindle")) read_members(*spindle, kSpindle, profile.spindle);
  if (const auto unload = root.find("head_unload")) read_members(*unload, kHeadUnload, profile.head_unload);
  if (const auto smart = root.find("smart")) {
    profile.smart.present = true;
    read_members(*smart, kSmart, profile.smart);
    for (const Value& item : smart->at("attributes").items()) {
      read_members(item, kSmartAttribute, profile.smart.attributes.emplace_back());
    }
  }
  if (const auto sct = root.find("sct")) {
    profile.sct.present = true;
    read_members(*sct, kSct, profile.sct);
  }
  if (const auto words = root.find("identify_words")) {
    for (const Value& word : words->items()) {
      profile.identify_words.push_back(static_cast<std::uint16_t>(word.count()));
    }
  }
}

}  // namespace

void read_ata(const Value& root, drive::Profile& profile) {
  read_members(root.at("identity"), kIdentity, profile.identity);
  read_members(root.at("interface"), kInterface, profile.interface);
  read_members(root.at("serial_ata"), kSerialAta, profile.serial_ata);
  read_flags(root.at("departures"), kDepartures, profile.departures);
  read_optional(root, profile);
}

void check_identity(const drive::Identity& identity, Findings& errors) {
  check_characters("/identity/model", identity.model, errors);
  check_characters("/identity/serial", identity.serial, errors);
  check_characters("/identity/firmware", identity.firmware, errors);
}

}  // namespace ncqlab::config
