// The table of QEMU's options: those that mean something here, those that are understood and change nothing, and the
// rest, which is an error.
#include "testbench/frontend/qtest/system_options.h"

#include <algorithm>
#include <functional>
#include <map>

#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

namespace {

class Reader {
 public:
  SystemOptions read(const std::vector<std::string>& arguments);

 private:
  using Action = std::function<void(const std::string& value)>;

  void fill_table();
  void ignore(std::initializer_list<const char*> names, bool with_value);
  void machine(const std::string& text);
  void memory(const std::string& text);
  void character_device(const std::string& text);
  void monitor(const std::string& text);
  void step(const std::string& text);

  SystemOptions options_;
  BlockOptions block_;
  std::map<std::string, Endpoint> character_devices_;
  std::map<std::string, std::pair<bool, Action>> table_;  // by name without its dashes: takes a value, what to do
};

void Reader::ignore(std::initializer_list<const char*> names, bool with_value) {
  for (const char* name : names) table_[name] = {with_value, [](const std::string&) {}};
}

void Reader::fill_table() {
  const auto with_value = [&](const char* name, Action action) { table_[name] = {true, std::move(action)}; };
  const auto alone = [&](const char* name, Action action) { table_[name] = {false, std::move(action)}; };
  with_value("M", [&](const std::string& v) { machine(v); });
  with_value("machine", [&](const std::string& v) { machine(v); });
  with_value("accel", [](const std::string& v) {
    if (v != "qtest") throw ArgumentError("-accel " + v + ": there is no processor; the only accelerator is qtest");
  });
  with_value("m", [&](const std::string& v) { memory(v); });
  with_value("qtest", [&](const std::string& v) { options_.qtest = parse_endpoint("-qtest", v); });
  with_value("qtest-log", [&](const std::string& v) { options_.log = v == "none" ? "" : v; });
  with_value("chardev", [&](const std::string& v) { character_device(v); });
  with_value("mon", [&](const std::string& v) { monitor(v); });
  with_value("qmp", [&](const std::string& v) { options_.monitor = parse_endpoint("-qmp", v); });
  with_value("drive", [&](const std::string& v) { block_.add_drive(v); });
  with_value("blockdev", [&](const std::string& v) { block_.add_blockdev(v); });
  with_value("device", [&](const std::string& v) { block_.add_device(v); });
  with_value("global", [&](const std::string& v) { block_.add_global(v); });
  with_value("incoming", [&](const std::string& v) { options_.incoming = v; });
  alone("S", [&](const std::string&) { options_.stopped = true; });
  for (const char* name : {"version", "V"}) alone(name, [&](const std::string&) { options_.show_version = true; });
  for (const char* name : {"help", "h"}) alone(name, [&](const std::string&) { options_.show_help = true; });
  with_value("ncqlab-controller", [&](const std::string& v) { options_.controller = v; });
  with_value("ncqlab-drive", [&](const std::string& v) { options_.drive = v; });
  with_value("ncqlab-optical", [&](const std::string& v) { options_.optical = v; });
  with_value("ncqlab-step", [&](const std::string& v) { step(v); });
  alone("ncqlab-fingerprint", [&](const std::string&) { options_.fingerprint = true; });
  // Of processors, screens, networks and firmware, which this machine has not.
  ignore({"nodefaults", "no-user-config", "nographic", "no-reboot", "no-shutdown", "no-hpet", "no-acpi"}, false);
  ignore({"display", "vga", "serial", "parallel", "monitor", "name", "cpu", "smp", "uuid", "rtc", "boot",
          "trace",   "net", "nic",    "audio",    "bios",    "L",    "k",   "msg", "D",    "d",   "sandbox"},
         true);
}

void Reader::machine(const std::string& text) {
  OptionString option("-machine", text, "type");
  const std::string type = option.take("type").value_or("q35");
  if (type != "q35" && type.substr(0, 7) != "pc-q35-") option.fail("the machine is a q35");
  if (const auto accelerator = option.take("accel"); accelerator && *accelerator != "qtest") {
    option.fail("there is no processor; the only accelerator is qtest");
  }
  for (const char* key : {"usb", "vmport", "smm", "hpet", "acpi", "pit", "graphics", "dump-guest-core", "mem-merge"}) {
    option.ignore(key);
  }
  option.check_all_taken();
}

void Reader::memory(const std::string& text) {
  OptionString option("-m", text, "size");
  const auto bytes = parse_size(option.require("size"), 1ULL << 20);
  if (!bytes) option.fail("expected a size such as 384M");
  option.ignore("slots");
  option.ignore("maxmem");
  option.check_all_taken();
  options_.ram_bytes = *bytes;
}

void Reader::character_device(const std::string& text) {
  OptionString option("-chardev", text, "backend");
  const std::string id = option.require("id");
  const std::string backend = option.require("backend");
  Endpoint endpoint;
  if (backend == "socket") {
    endpoint.path = option.require("path");
    endpoint.kind = option.take_flag("server").value_or(false) ? Endpoint::Kind::listen : Endpoint::Kind::connect;
    option.ignore("wait");
  } else if (backend == "stdio") {
    endpoint.kind = Endpoint::Kind::standard_streams;
  } else if (backend != "null") {
    option.fail("the back end is socket (with a path), stdio or null");
  }
  option.check_all_taken();
  character_devices_[id] = endpoint;
}

void Reader::monitor(const std::string& text) {
  OptionString option("-mon", text, "chardev");
  const std::string device = option.require("chardev");
  const std::string mode = option.take("mode").value_or("readline");
  option.ignore("pretty");
  option.check_all_taken();
  const auto found = character_devices_.find(device);
  if (found == character_devices_.end()) option.fail("there is no chardev '" + device + "' before it");
  if (mode != "control") option.fail("'mode' is control: there is no monitor for people");
  options_.monitor = found->second;
}

void Reader::step(const std::string& text) {
  const auto microseconds = parse_number(text);
  if (!microseconds || *microseconds > 3'600'000'000) {
    throw ArgumentError("-ncqlab-step " + text + ": expected microseconds, at most an hour");
  }
  options_.step = static_cast<sim::Time>(*microseconds) * sim::kMicrosecond;
}

SystemOptions Reader::read(const std::vector<std::string>& arguments) {
  fill_table();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const std::size_t dashes = argument.find_first_not_of('-');
    const auto found = dashes == 1 || dashes == 2 ? table_.find(argument.substr(dashes)) : table_.end();
    if (found == table_.end()) throw ArgumentError(shown(argument) + ": unknown option");
    const auto& [takes_value, action] = found->second;
    if (takes_value && i + 1 == arguments.size()) throw ArgumentError(argument + ": a value is missing");
    action(takes_value ? arguments[++i] : std::string());
  }
  options_.disks = block_.resolve();
  return options_;
}

}  // namespace

const char* const kSystemHelp = R"(usage: ncqlab-system-x86_64 [QEMU's options]
A q35 without a processor: its AHCI controller is ncqlab's, and a qtest client drives it.

  -qtest unix:PATH[,server=on]|stdio   where the client is
  -qtest-log FILE                      every line and answer, with the machine's time
  -qmp unix:PATH[,server=on]|stdio     the monitor; also -chardev socket,path=P,id=I -mon chardev=I,mode=control
  -m SIZE[M|G]                         RAM [128M]
  -drive file=[blkdebug:CONFIGURATION:]FILE[,if=ide|none][,id=ID][,rerror=stop,werror=stop]...
  -blockdev driver=file|raw,node-name=ID,filename=FILE
  -device ide-hd|ide-cd,drive=ID[,bus=ide.N][,serial=S][,ver=V][,model=M]
  -global ide-hd.serial=S              also ver and model
  -incoming unix:PATH                  the machine comes by migration
  -S                                   does not run until the monitor says cont

  -ncqlab-controller NAME|FILE         controller profile [qemu-ich9]
  -ncqlab-drive NAME|FILE              drive profile; its capacity becomes the image's [qemu-harddisk]
  -ncqlab-optical NAME|FILE            optical drive profile [qemu-dvd]
  -ncqlab-step US                      machine time that a qtest line takes, in microseconds [100]
  -ncqlab-fingerprint                  prints the run's fingerprint at the end

Images are raw files. Options about processors, screens, networks and firmware are read and change nothing.
docs/QTEST.md tells more.
)";

Endpoint parse_endpoint(const std::string& option_name, const std::string& text) {
  if (text == "none") return {};
  if (text == "stdio") return {Endpoint::Kind::standard_streams, ""};
  OptionString option(option_name, text, "address");
  const std::string address = option.require("address");
  constexpr std::string_view kUnix = "unix:";
  if (address.substr(0, kUnix.size()) != kUnix) option.fail("expected unix:PATH, stdio or none");
  const bool server = option.take_flag("server").value_or(false);
  option.ignore("wait");
  option.check_all_taken();
  return {server ? Endpoint::Kind::listen : Endpoint::Kind::connect, address.substr(kUnix.size())};
}

SystemOptions parse_system_options(const std::vector<std::string>& arguments) { return Reader().read(arguments); }

}  // namespace ncqlab::qtest
