// QEMU's arguments: what they mean here, and what is said when they can't be had.
#include <gtest/gtest.h>

#include "testbench/frontend/qtest/system_options.h"

namespace ncqlab::qtest {
namespace {

using Arguments = std::vector<std::string>;

std::string refusal(const Arguments& arguments) {
  try {
    parse_system_options(arguments);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "";
}

TEST(QtestOptions, TheArgumentsOfQemusOwnTestsAreUnderstood) {
  const SystemOptions options =
      parse_system_options({"-qtest",     "unix:/tmp/q.sock",
                            "-qtest-log", "/dev/null",
                            "-chardev",   "socket,path=/tmp/m.sock,id=char0",
                            "-mon",       "chardev=char0,mode=control",
                            "-display",   "none",
                            "-drive",     "if=none,id=drive0,file=/tmp/disk,cache=writeback,format=qcow2",
                            "-M",         "q35",
                            "-device",    "ide-hd,drive=drive0",
                            "-global",    "ide-hd.serial=testdisk",
                            "-global",    "ide-hd.ver=version",
                            "-accel",     "qtest",
                            "-m",         "384"});
  EXPECT_EQ(options.qtest.kind, Endpoint::Kind::connect);
  EXPECT_EQ(options.qtest.path, "/tmp/q.sock");
  EXPECT_EQ(options.monitor.kind, Endpoint::Kind::connect);
  EXPECT_EQ(options.monitor.path, "/tmp/m.sock");
  EXPECT_EQ(options.log, "/dev/null");
  EXPECT_EQ(options.ram_bytes, 384ULL << 20);
  ASSERT_EQ(options.disks.size(), 1U);
  EXPECT_EQ(options.disks[0].node.file, "/tmp/disk");
  EXPECT_EQ(options.disks[0].serial, "testdisk");
  EXPECT_EQ(options.disks[0].firmware, "version");
}

TEST(QtestOptions, TheArgumentsOfFuzzReportsAreUnderstood) {
  const SystemOptions options = parse_system_options({"-display",
                                                      "none",
                                                      "-machine",
                                                      "accel=qtest,",
                                                      "-m",
                                                      "512M",
                                                      "-machine",
                                                      "q35",
                                                      "-nodefaults",
                                                      "-drive",
                                                      "file=null-co://,if=none,format=raw,id=disk0",
                                                      "-device",
                                                      "ide-hd,drive=disk0",
                                                      "-qtest",
                                                      "stdio",
                                                      "-monitor",
                                                      "none",
                                                      "-serial",
                                                      "none",
                                                      "-nographic"});
  EXPECT_EQ(options.qtest.kind, Endpoint::Kind::standard_streams);
  EXPECT_EQ(options.ram_bytes, 512ULL << 20);
  EXPECT_EQ(options.disks.at(0).node.null_bytes, 1ULL << 30);
}

TEST(QtestOptions, WithoutArgumentsThereIsAMachineWithoutDisks) {
  const SystemOptions options = parse_system_options({});
  EXPECT_EQ(options.ram_bytes, 128ULL << 20);
  EXPECT_TRUE(options.disks.empty());
  EXPECT_FALSE(options.stopped);
  EXPECT_EQ(options.qtest.kind, Endpoint::Kind::none);
  EXPECT_EQ(options.step, 100 * sim::kMicrosecond);
}

TEST(QtestOptions, OneDashOrTwo) { EXPECT_EQ(parse_system_options({"--m", "1G"}).ram_bytes, 1ULL << 30); }

TEST(QtestOptions, AnUnknownOptionIsNamed) {
  EXPECT_EQ(refusal({"-kernel", "x"}), "-kernel: unknown option");
  EXPECT_EQ(refusal({"disk.img"}), "disk.img: unknown option");
  EXPECT_EQ(refusal({"---m"}), "---m: unknown option");
  EXPECT_EQ(refusal({"-"}), "-: unknown option");
}

TEST(QtestOptions, AMissingValueIsNamed) { EXPECT_EQ(refusal({"-m"}), "-m: a value is missing"); }

TEST(QtestOptions, OnlyAQ35WithoutAProcessorCanBeHad) {
  EXPECT_EQ(refusal({"-M", "pc"}), "-machine pc: the machine is a q35");
  EXPECT_EQ(refusal({"-M", "pc-q35-5.0"}), "");
  EXPECT_NE(refusal({"-accel", "tcg"}), "");
  EXPECT_NE(refusal({"-M", "q35,accel=kvm"}), "");
  EXPECT_EQ(refusal({"-M", "q35,sata=off"}), "-machine q35,sata=off: 'sata' is not known here");
}

TEST(QtestOptions, EndpointsConnectOrListen) {
  EXPECT_EQ(parse_endpoint("-qtest", "unix:/a,server=on,wait=off").kind, Endpoint::Kind::listen);
  EXPECT_EQ(parse_endpoint("-qtest", "unix:/a,server,nowait").kind, Endpoint::Kind::listen);
  EXPECT_EQ(parse_endpoint("-qtest", "none").kind, Endpoint::Kind::none);
  EXPECT_THROW(parse_endpoint("-qtest", "tcp:localhost:1"), ArgumentError);
}

TEST(QtestOptions, AMonitorForPeopleCanNotBeHad) {
  EXPECT_NE(refusal({"-chardev", "stdio,id=c", "-mon", "chardev=c"}), "");
  EXPECT_NE(refusal({"-mon", "chardev=c,mode=control"}), "");
}

// ---- disks

const BlockNode& only_node(const SystemOptions& options) { return options.disks.at(0).node; }

TEST(QtestDiskOptions, ADriveOfInterfaceIdeIsADiskByItself) {
  const SystemOptions options = parse_system_options({"-drive", "if=ide,file=/tmp/d,format=raw"});
  EXPECT_EQ(only_node(options).file, "/tmp/d");
  EXPECT_EQ(options.disks[0].kind, DiskDevice::Kind::disk);
  EXPECT_EQ(parse_system_options({"-drive", "file=/tmp/d,index=2"}).disks.at(0).port, 2U);
}

TEST(QtestDiskOptions, BlkdebugStandsBeforeTheFile) {
  const SystemOptions options =
      parse_system_options({"-drive", "file=blkdebug:/tmp/rules:/tmp/d,rerror=stop,werror=stop"});
  EXPECT_EQ(only_node(options).blkdebug, "/tmp/rules");
  EXPECT_EQ(only_node(options).file, "/tmp/d");
  EXPECT_EQ(only_node(options).on_write_error, OnError::stop);
}

TEST(QtestDiskOptions, TwoCommasAreOneInAFilesName) {
  EXPECT_EQ(only_node(parse_system_options({"-drive", "file=/tmp/a,,b,format=raw"})).file, "/tmp/a,b");
}

TEST(QtestDiskOptions, ANullDiskMayHaveASize) {
  EXPECT_EQ(only_node(parse_system_options({"-drive", "file=null-co://,file.size=8M"})).null_bytes, 8ULL << 20);
}

TEST(QtestDiskOptions, NodesOfBlockdevStackAndAreReferredTo) {
  const SystemOptions options =
      parse_system_options({"-blockdev", "driver=file,node-name=f,filename=/tmp/d", "-blockdev",
                            "raw,node-name=r,file=f", "-device", "ide-cd,id=cd0,drive=r,bus=ide.3"});
  EXPECT_EQ(options.disks.at(0).kind, DiskDevice::Kind::cdrom);
  EXPECT_EQ(options.disks[0].id, "cd0");
  EXPECT_EQ(options.disks[0].port, 3U);
  EXPECT_EQ(only_node(options).file, "/tmp/d");
}

TEST(QtestDiskOptions, ADevicesOwnPropertyGoesBeforeTheGlobalOne) {
  const SystemOptions options =
      parse_system_options({"-global", "ide-hd.serial=global", "-drive", "if=none,id=d,file=/tmp/d", "-device",
                            "ide-hd,drive=d,serial=own"});
  EXPECT_EQ(options.disks.at(0).serial, "own");
}

TEST(QtestDiskOptions, WhatCanNotBeHadIsNamed) {
  const Arguments drive = {"-drive", "if=none,id=d,file=/tmp/d"};
  const auto with = [&](const std::string& option, const std::string& value) {
    Arguments arguments = drive;
    arguments.insert(arguments.end(), {option, value});
    return refusal(arguments);
  };
  EXPECT_EQ(with("-device", "ide-hd,drive=e"), "there is no drive 'e'");
  EXPECT_EQ(with("-device", "ide-hd"), "-device ide-hd: 'drive' is missing");
  EXPECT_NE(with("-device", "ich9-ahci,id=a"), "");
  EXPECT_NE(with("-device", "ide-hd,drive=d,unit=1"), "");
  EXPECT_NE(with("-device", "ide-hd,drive=d,bus=ahci.0"), "");
  EXPECT_NE(with("-device", "ide-hd,drive=d,serial=123456789012345678901"), "");
  EXPECT_EQ(with("-device", "ide-hd,drive=d,colour=red"),
            "-device ide-hd,drive=d,colour=red: 'colour' is not known here");
  EXPECT_NE(refusal({"-drive", "if=virtio,file=/tmp/d"}), "");
  EXPECT_NE(refusal({"-drive", "if=none,file=/tmp/d"}), "");
  EXPECT_NE(refusal({"-drive", "file=nbd://host/x"}), "");
  EXPECT_NE(refusal({"-drive", "file=/tmp/d,format=vmdk"}), "");
  EXPECT_NE(refusal({"-drive", "file=/tmp/d,werror=ignore"}), "");
  EXPECT_NE(refusal({"-drive", "file=blkdebug:/tmp/d"}), "");
  EXPECT_NE(refusal({"-global", "ide-hd.colour=red"}), "");
  EXPECT_NE(refusal({"-global", "serial"}), "");
  EXPECT_NE(refusal({"-blockdev", "driver=qed,node-name=q"}), "");
}

// ---- sizes

TEST(QtestSizes, ASizeHasASuffixOrCountsUnits) {
  EXPECT_EQ(parse_size("384", 1U << 20), 384ULL << 20);
  EXPECT_EQ(parse_size("2G", 1U << 20), 2ULL << 30);
  EXPECT_EQ(parse_size("64k", 1U << 20), 64ULL << 10);
  EXPECT_EQ(parse_size("5B", 1U << 20), 5U);
  EXPECT_EQ(parse_size("", 1), std::nullopt);
  EXPECT_EQ(parse_size("G", 1), std::nullopt);
  EXPECT_EQ(parse_size("17179869184G", 1), std::nullopt);
}

}  // namespace
}  // namespace ncqlab::qtest
