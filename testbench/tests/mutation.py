#!/usr/bin/env python3
"""Do the tests notice when the controller is wrong?

Changes the controller's model in one place, builds it, runs the tests of the model, and does so for one change after
another: each access policy of the register tables (generic host control and ports), and each state transition that
mutations.txt lists, named as in AHCI 1.3.1, 5.3. A change is caught when a test fails, crashes or does not end. All of
it happens in copies of the tree below build/mutation.

  testbench/tests/mutation.py               every change; 1 s to 10 s each
  testbench/tests/mutation.py --sample N    N of them, spread evenly
  testbench/tests/mutation.py --only TEXT   those whose name contains TEXT
  testbench/tests/mutation.py --list        names only
  testbench/tests/mutation.py --check       whether each change still finds its place in the code; builds nothing

--jobs N works on N at once. Prints one line for each change, those that survived again at the end, and the percentage
caught. Exit status: 0 when at least 95 % were caught, 1 otherwise, 2 when a change no longer finds its place.
"""
import argparse
import concurrent.futures
import pathlib
import queue
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "testbench/tests"
WORK = ROOT / "build/mutation"
TABLES = ("model/hba/host_control.cpp", "model/hba/port_registers.cpp")
WANTED_PERCENT = 95
TEST_TIMEOUT_S = 120


class Mutation:
    """`name`: what is wrong now. In `file`, the text from `start` to `end` becomes `text`."""

    def __init__(self, name, file, start, end, text):
        self.name, self.file, self.start, self.end, self.text = name, file, start, end, text

    def applied_to(self, source):
        return source[: self.start] + self.text + source[self.end :]


class Misplaced(Exception):
    pass


def code(file):
    return (ROOT / file).read_text()


def split_fields(source, start):
    """The fields of the braces that open at `start`: [(begin, end)], and where the braces end."""
    fields, depth, begin, at, quoted = [], 0, start + 1, start, False
    while True:
        c = source[at]
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "{(":
            depth += 1
        elif not quoted and c in "})":
            depth -= 1
        if not quoted and (depth == 0 or (depth == 1 and c == ",")):
            fields.append((begin, at))
            begin = at + 1
            if depth == 0:
                return fields, at + 1
        at += 1


def rows(file):
    """Each row of the register table in `file`: name -> fields as (begin, end)."""
    source = code(file)
    at = source.index("kTable[] = {") + len("kTable[] = {")
    table = {}
    while True:
        at = re.compile(r"[\s,]*").match(source, at).end()
        if source[at] == "}":
            return source, table
        fields, end = split_fields(source, at)
        table[source[fields[0][0] : fields[0][1]].strip().strip('"')] = fields
        at = end


def single_bits(source, expression, begin):
    """(what goes, begin, end, text) for each bit of a mask that can be dropped alone."""
    if re.fullmatch(r"\s*k\w+", expression):
        definition = re.search(r"constexpr std::uint32_t " + expression.strip() + r" =([^;]*);", source)
        if definition:
            yield from single_bits(source, definition.group(1), definition.start(1))
        return
    terms = expression.split("|")
    if len(terms) > 1 and all(re.fullmatch(r"\s*k\w+\s*", term) for term in terms):
        for i, term in enumerate(terms):
            rest = "|".join(terms[:i] + terms[i + 1 :])
            yield term.strip(), begin, begin + len(expression), " " + rest
        return
    number = re.fullmatch(r"\s*(0x[0-9A-F]+)\s*", expression)
    if number and int(number.group(1), 16) != 0:
        mask = int(number.group(1), 16)
        for bit in sorted({mask.bit_length() - 1, (mask & -mask).bit_length() - 1}):
            yield f"bit {bit}", begin, begin + len(expression), f" 0x{mask & ~(1 << bit):08X}"


def table_mutations(file):
    source, table = rows(file)
    for name, fields in table.items():
        reset, writable, clearable, settable, survives, read, written = fields[2:9]
        text = {f: source[f[0] : f[1]].strip() for f in fields}

        def change(what, field, new):
            return Mutation(f"{name}: {what}", file, field[0], field[1], " " + new)

        if f"set_initial({text[fields[1]]}" not in source:
            yield change("another reset value", reset, f"({text[reset]}) ^ 1")
        if text[writable] != "0xFFFFFFFF":
            yield change("every bit RW", writable, "0xFFFFFFFF")
        for mask, kind in ((writable, "RW"), (clearable, "RW1C"), (settable, "RW1S")):
            if text[mask] == "0":
                continue
            yield change(f"{kind} is RO", mask, "0")
            for bit, begin, end, rest in single_bits(source, source[mask[0] : mask[1]], mask[0]):
                yield Mutation(f"{name}: {bit} of {kind} is RO", file, begin, end, rest)
        for mask, kind in ((clearable, "RW1C"), (settable, "RW1S")):
            if text[mask] == "0":
                continue
            # One move, two fields: RW gets the mask, the other one loses it.
            gained = f" ({text[writable]}) | ({text[mask]})"
            between = source[writable[1] : mask[0]]
            yield Mutation(f"{name}: {kind} is RW", file, writable[0], mask[1], gained + between + " 0")
        yield change("HBA reset " + ("changes it" if text[survives] == "true" else "leaves it"), survives,
                     "false" if text[survives] == "true" else "true")
        if text[read] != "nullptr":
            yield change("a read answers what is stored", read, "nullptr")
        if text[written] != "nullptr":
            yield change("a write does nothing else", written, "nullptr")


def listed():
    """mutations.txt: the changes, and the names of those that change nothing, with the reason."""
    mutations, equivalent, block = [], {}, None
    for line in (HERE / "mutations.txt").read_text().splitlines() + ["end of file"]:
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if block and "same" in block:
                equivalent[block["name"]] = block["same"]
            elif block:
                mutations.append(placed(block))
            block = {"name": line.strip()}
            continue
        key, _, value = line.strip().partition(" ")
        quoted = re.fullmatch(r"`(.*)`", value.strip())
        block[key] = quoted.group(1) if quoted else value.strip()
    return mutations, equivalent


def placed(block):
    source = code(block["file"])
    begin = source.find(block["in"]) if "in" in block else 0
    end = source.find("\n}\n", begin) if "in" in block else len(source)
    if begin < 0:
        raise Misplaced(f"{block['name']}: {block['file']} has no {block['in']}")
    count = source.count(block["find"], begin, end)
    if count != 1:
        raise Misplaced(f"{block['name']}: {block['find']} stands {count} times in {block['file']}, not once")
    at = source.index(block["find"], begin)
    return Mutation(block["name"], block["file"], at, at + len(block["find"]), block["with"])


def all_mutations():
    mutations = [m for file in TABLES for m in table_mutations(file)]
    more, equivalent = listed()
    mutations += more
    names = [m.name for m in mutations]
    doubled = {n for n in names if names.count(n) > 1}
    if doubled:
        raise Misplaced(f"named twice: {', '.join(sorted(doubled))}")
    for name in equivalent:
        if name not in names:
            raise Misplaced(f"{name}: said to change nothing, but there is no such change")
    return [m for m in mutations if m.name not in equivalent], equivalent


class Worker:
    """A copy of the tree, with a build folder where a checkout has it: ccache knows all but what was changed."""

    def __init__(self, number):
        self.tree = WORK / str(number)
        self.build = self.tree / "build/release"
        hba = "model/hba/CMakeLists.txt"  # a change may leave something unused
        files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                               capture_output=True, text=True).stdout.splitlines()
        for file in files:
            if (ROOT / file).is_file() and file != hba:
                self.put(file, code(file) if file.endswith((".cpp", ".h", ".txt")) else (ROOT / file).read_bytes())
        self.put(hba, code(hba) + "target_compile_options(ncqlab_hba PRIVATE -w)\n")
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DNCQLAB_SYSTEMC=OFF", "-DNCQLAB_COMMAND=OFF"]
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, *options], check=True,
                       stdout=subprocess.DEVNULL)

    def put(self, file, content):
        """Writes it unless it is there: what ninja sees as new, it builds."""
        target = self.tree / file
        content = content if isinstance(content, bytes) else content.encode()
        if target.exists() and target.read_bytes() == content:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def compile(self):
        ninja = ["ninja", "-C", self.build, "-j", "1", "ncqlab_model_tests"]
        return subprocess.run(ninja, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def passes(self):
        """The hostile tests last: they take long, and others say more."""
        program = self.build / "testbench/tests/model/ncqlab_model_tests"
        try:
            return all(subprocess.run([program, "--gtest_fail_fast", f"--gtest_filter={tests}"], cwd=self.tree,
                                      timeout=TEST_TIMEOUT_S, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL).returncode == 0 for tests in ("-*Hostile*", "*Hostile*"))
        except subprocess.TimeoutExpired:
            return False

    def verdict(self, mutation):
        target = self.tree / mutation.file
        original = target.read_text()
        target.write_text(mutation.applied_to(original))
        try:
            if not self.compile():
                return "does not build"
            return "survived" if self.passes() else "caught"
        finally:
            target.write_text(original)


def run(mutations, jobs):
    workers = queue.Queue()
    for number in range(min(jobs, len(mutations))):
        worker = Worker(number)
        if not worker.compile() or not worker.passes():
            sys.exit("mutation: the tests fail without any change")
        workers.put(worker)

    def judge(mutation):
        worker = workers.get()
        try:
            verdict = worker.verdict(mutation)
        finally:
            workers.put(worker)
        print(f"{verdict:15} {mutation.name}", flush=True)
        return verdict

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        verdicts = list(pool.map(judge, mutations))
    built = [v for v in verdicts if v != "does not build"]
    caught = built.count("caught")
    for mutation, verdict in zip(mutations, verdicts):
        if verdict != "caught":
            print(f"  {verdict}: {mutation.name} ({mutation.file})")
    percent = 100 * caught / max(1, len(built))
    print(f"{caught} of {len(built)} changes caught, {percent:.1f} %; {len(verdicts) - len(built)} do not build")
    return 0 if percent >= WANTED_PERCENT else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    try:
        mutations, equivalent = all_mutations()
    except Misplaced as problem:
        print(f"mutation: {problem}", file=sys.stderr)
        return 2
    if arguments.only:
        mutations = [m for m in mutations if arguments.only in m.name]
    if arguments.sample:
        step = max(1, len(mutations) // arguments.sample)
        mutations = mutations[::step][: arguments.sample]
    if arguments.list or arguments.check:
        if arguments.list:
            print(*(m.name for m in mutations), sep="\n")
        print(f"{len(mutations)} changes, {len(equivalent)} more that change nothing", file=sys.stderr)
        return 0
    return run(mutations, arguments.jobs)


if __name__ == "__main__":
    sys.exit(main())
