// Which feature set answers which command, and how its answer is carried out.
#include "model/drive/ata/drive.h"
#include "model/drive/ata/identify.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kErasePrepare = 0xF3;
constexpr std::uint8_t kEraseUnit = 0xF4;
constexpr std::uint8_t kStandbyTimed = 0xE2;
constexpr std::uint8_t kIdleImmediate = 0xE1;
constexpr std::uint8_t kReadNativeMax = 0xF8;
constexpr std::uint8_t kReadNativeMaxExt = 0x27;

bool is_extended(const CommandEntry& entry) { return entry.addressing == Addressing::lba48; }

}  // namespace

Answer Drive::answer(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  current_ = fis;
  switch (entry.action) {
    case Action::identify:
      return to_host(bytes_of(identify()));
    case Action::set_features:
      return set_features(static_cast<std::uint8_t>(fis.features), static_cast<std::uint8_t>(fis.count));
    case Action::set_multiple:
      return set_multiple(static_cast<std::uint8_t>(fis.count));
    case Action::idle:
      return power_.idle(fis, fis.command == kIdleImmediate, now());
    case Action::standby:
    case Action::sleep:
      return enter_standby(entry, fis);
    case Action::check_power:
      return power_.check(now());
    case Action::request_sense:
      return request_sense();
    case Action::read_buffer:
      return to_host(buffer_page_);
    case Action::write_buffer:
      return from_host(1);
    case Action::native_max:
      return capacity_.native_max(is_extended(entry));
    case Action::set_max:
      return capacity_.set_max(fis, is_extended(entry),
                               preceding_opcode_ == (is_extended(entry) ? kReadNativeMaxExt : kReadNativeMax));
    case Action::protect_max:
      return capacity_.protect(fis);
    case Action::accessible_max:
      return capacity_.configure(fis);
    case Action::security:
      return security_.answer(fis, preceding_opcode_ == kErasePrepare);
    case Action::microcode:
      return microcode_.answer(fis);
    case Action::smart:
      return smart_.admits(fis) ? smart_.answer(fis, situation()) : refused();
    case Action::smart_read_log:
      return smart_.admits(fis) ? smart_read_log(fis) : refused();
    case Action::smart_write_log:
      return smart_.admits(fis) ? smart_write_log(fis) : refused();
    case Action::read_log:
      return read_log(fis);
    case Action::write_log:
      return write_log(fis);
    default:
      return refused();
  }
}

// The data that answer() asked for have come.
Answer Drive::answer_to_data(const CommandEntry& entry, const Bytes& bytes) {
  switch (entry.action) {
    case Action::write_buffer:
      buffer_page_ = bytes;
      return done();
    case Action::protect_max:
      return capacity_.password_received(current_, bytes);
    case Action::security: {
      const Answer answer = security_.received(current_, bytes);
      if (current_.command == kEraseUnit && answer.kind == Answer::Kind::done) {
        disk_.forget(now(), {0, profile_.capacity_sectors});
        media_.contents().discard(0, profile_.capacity_sectors);
      }
      return answer;
    }
    case Action::microcode:
      return microcode_.received(current_, bytes);
    case Action::smart_write_log:
    case Action::write_log:
      return log_received(current_, entry.action == Action::smart_write_log, bytes);
    default:
      return refused();
  }
}

// ---- carrying out

void Drive::carry_out(const CommandEntry& entry, Answer answer) {
  switch (answer.kind) {
    case Answer::Kind::flush:
      return submit_flush(entry);
    case Answer::Kind::to_host:
    case Answer::Kind::from_host:
      return move_buffer(entry, kNonQueuedTag, std::move(answer.bytes));
    case Answer::Kind::done:
    case Answer::Kind::refused:
      break;
  }
  if (answer.takes <= 0) return report(answer);
  busy_ = true;
  post_after<&Drive::late_answer>(answer.takes);
  late_answer_ = std::move(answer);
}

void Drive::late_answer(std::uint64_t) { report(late_answer_); }

void Drive::report(const Answer& answer) {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = answer.kind == Answer::Kind::refused ? error_status(answer.error) : kStatusGood;
  fis.error = answer.error;
  fis.count = answer.count;
  fis.lba = answer.lba;
  fis.device = answer.device;
  answer.kind == Answer::Kind::refused ? send_register(fis) : post_success(fis);
}

// A whole buffer has come from the host.
void Drive::buffer_received(unsigned tag) {
  const CommandEntry& entry = *transfers_[tag].entry;
  if (hooked_ != nullptr && hooked_->events[tag].skip.media) {
    return tag == kNonQueuedTag ? succeed() : complete_queued(tag);
  }
  if (entry.action == Action::trim || entry.action == Action::queued_trim) return trimmed(tag);
  carry_out(entry, answer_to_data(entry, buffers_[tag]));
}

// ---- what takes several feature sets

// Both destage the write cache first.
Answer Drive::enter_standby(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  if (entry.opcode == kStandbyTimed) power_.set_standby_timer(static_cast<std::uint8_t>(fis.count));
  Answer answer;
  answer.kind = Answer::Kind::flush;
  return answer;
}

Answer Drive::request_sense() {
  if (!settings_.sense_reporting()) return refused();
  const Sense sense = std::exchange(sense_, Sense());
  return done_with(0, std::uint64_t{sense.key} << 16 | std::uint64_t{sense.code} << 8 | sense.qualifier);
}

IdentifyWords Drive::identify() const {
  IdentifyWords words =
      identify_words(profile_, {write_cache_, read_look_ahead_, smart_.enabled(), multiple_sectors_, sata_features_});
  settings_.identify(words);
  power_.identify(words);
  capacity_.identify(words);
  security_.identify(words);
  smart_.identify(words);
  sct_.identify(words);
  microcode_.identify(words);
  finish_identify(words);
  return words;
}

SmartFeatures::Situation Drive::situation() const { return {now(), counts(), media_.defects().first_pending()}; }

}  // namespace ncqlab::drive
