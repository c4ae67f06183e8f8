#!/usr/bin/env python3
"""Works out all dice of a Starpost game from its files, without Starpost.

    python3 dice.py ARCHIVE.zip        an archive, as `starpost archive` makes it
    python3 dice.py DIRECTORY          the same unpacked, or a game directory
    python3 dice.py ARCHIVE.zip HASH   ... and looks for hashes out of mails: of closings, of order sets

It follows the recipe in docs/reference/dice.md (every archive has it in its README.txt)
and asks nothing but Python's standard library. Each die is printed with what the recipe gives;
the exit code is 1 where that is not what the game has. In a game with public dice it also works out the
hash of what each turn was played with, which captains were told when its orders were closed.

Of a public beacon it checks that its randomness is that of its signature. Whether the signature
is the chain's: `python3 beacon.py FILE` beside this file says so, or any library for BLS12-381.
"""
import hashlib
import hmac
import json
import os
import struct
import sys
import zipfile


def frame(*texts):
    """Each text with its length before it."""
    out = b""
    for t in texts:
        t = t if isinstance(t, bytes) else str(t).encode()
        out += struct.pack(">Q", len(t)) + t
    return out


def sha256(*texts):
    return hashlib.sha256(frame(*texts)).digest()


def numbers(seed):
    """Step 4: the numbers that come from a seed."""
    key = struct.unpack("<8I", seed)
    blocks = []
    for counter in range(4):
        w = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, counter, 0, 0, 0]

        def quarter(a, b, c, d):
            for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                w[x] = (w[x] + w[y]) & 0xFFFFFFFF
                v = w[z] ^ w[x]
                w[z] = (v << bits | v >> (32 - bits)) & 0xFFFFFFFF

        for _ in range(4):
            for i in range(4):
                quarter(i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        for i in range(8):
            w[4 + i] = (w[4 + i] + key[i]) & 0xFFFFFFFF
        blocks.append(w)
    text = b"".join(struct.pack("<I", blocks[c][i]) for i in range(16) for c in range(4))
    return list(struct.unpack("<32Q", text))


def throw(key, game, die, name):
    """Steps 3 and 5: what a die shows."""
    rest = numbers(sha256("starpost dice roll 1", key, game, die, name))
    times, sides = {"d6": (1, 6), "2d6": (2, 6), "d10": (1, 10), "d100": (1, 100)}[die]
    total = 0
    for _ in range(times):
        while rest[0] >= 2**64 // sides * sides:
            rest.pop(0)
        total += rest.pop(0) % sides + 1
    return total


def key_of(secret, game, turn, words, luck, form, beacon):
    """Step 2: the key of a turn, or of a phase of it."""
    if beacon:
        return sha256("starpost dice turn 3", secret, game, turn, words, beacon["chain"], beacon["round"], beacon["randomness"])
    if form == 1:
        sent = [text for pair in sorted(luck) for text in pair]
        return sha256("starpost dice turn 1", secret, game, turn, *sent) if sent else secret
    return sha256("starpost dice turn 2", secret, game, turn, words) if words else secret


class Files:
    """The files of a game, in an archive, an archive unpacked, or a game directory."""

    def __init__(self, path):
        self.path = path
        self.zip = zipfile.ZipFile(path) if os.path.isfile(path) else None
        self.top = "game/" if self.zip or os.path.isdir(os.path.join(path, "game")) else ""

    def read(self, name):
        """The file as text; None where it is not there."""
        try:
            if self.zip:
                return self.zip.read(self.top + name).decode()
            with open(os.path.join(self.path, self.top + name), encoding="utf-8") as f:
                return f.read()
        except (KeyError, FileNotFoundError):
            return None

    def beacon(self, stage, phase):
        """The beacon of a phase, or the last one of a turn; None where dice come from the secret alone."""
        found = None
        for k in range(1, phase + 1):
            file = f"turns/{stage}/" + ("beacon.json" if k == 1 else f"beacon.p{k}.json")
            text = self.read(file)
            if text is None:
                break
            found = file, json.loads(text)
        if found is None or "own" in found[1]:
            return None
        return check_beacon(found[1], found[0])

    def stages(self):
        """The directories of turns that count, as (turn, phase, name) in their order; phase 99 is the whole turn."""
        if self.zip:
            names = {n.split("/")[2] for n in self.zip.namelist() if n.startswith(self.top + "turns/")}
        else:
            names = set(os.listdir(os.path.join(self.path, self.top + "turns")))
        best = {}
        for name in names:
            parts = name.split(".")
            if not parts[0].isdigit():
                continue
            revision, phase = 1, 99
            for p in parts[1:]:
                if p[0] == "r":
                    revision = int(p[1:])
                if p[0] == "p":
                    phase = int(p[1:])
            best.setdefault((int(parts[0]), revision), {})[phase] = name
        current = self.current()
        for turn, revision in sorted(best):
            if current.get(turn, 1) != revision:
                print(f"turn {turn}, revision {revision} was set aside, and is not looked at")
                continue
            for phase in sorted(best[turn, revision]):
                yield turn, phase, best[turn, revision][phase]

    def current(self):
        """By the journal, which revision of each turn counts, where it is not the first: 0 for none."""
        counts = {}

        def drop(first, last):
            for turn in range(first, last + 1):
                counts[turn] = 0

        for line in (self.read("journal.jsonl") or "").splitlines():
            entry = json.loads(line)
            data = entry.get("data") or {}
            if entry["kind"] == "rollback":
                drop(data["turn"] + 1, data["last"])
            if entry["kind"] == "revise":
                made = [data] + (data.get("later") or [])
                counts.update((m["turn"], m["revision"]) for m in made)
                drop(made[-1]["turn"] + 1, data.get("aside") or 0)
        return counts


def check_beacon(beacon, where):
    if hashlib.sha256(bytes.fromhex(beacon["signature"])).hexdigest() != beacon["randomness"]:
        sys.exit(f"{where}: the randomness is not the SHA-256 of the signature")
    print(f"{where}: round {beacon['round']} of chain {beacon['chain']}")
    return beacon


def closing(files, secret, game, turn, stage, known):
    """What captains were told of the orders of a turn, worked out from the turn."""
    manifest = json.loads(files.read(f"turns/{stage}/manifest.json"))
    last = len(manifest.get("rounds") or []) + 1
    salt = hmac.new(secret, frame("starpost dice key 1", "closing", turn, last), hashlib.sha256).hexdigest()
    fields = [salt, game, turn, last]
    for name in sorted(n for n in manifest["files"] if n.startswith("orders/")):
        text = files.read(f"turns/{stage}/{name}")
        known[hashlib.sha256(text.encode()).hexdigest()] = f"{name} of turn {turn}"
        fields += [name, text]
    for k in range(1, last + 1):
        policies = (manifest.get("missing") if k == 1 else (manifest.get("silent") or {}).get(str(k))) or {}
        for seat in sorted(policies):
            fields += [k, seat, policies[seat]]
    return last, sha256("starpost closing 1", *fields).hex()


def closings(files, secret, game, hashes):
    """Holds what turns were played with against their closings; gives how often that, or a hash, is wrong."""
    told, known, wrong = {}, {}, 0
    for line in (files.read("journal.jsonl") or "").splitlines():
        entry = json.loads(line)
        if entry["kind"] == "close":
            told[entry["turn"], entry.get("round") or 1] = entry["data"]
            known[entry["data"]["sets"]] = f"the closing of turn {entry['turn']}"
    for turn, phase, stage in files.stages():
        if turn == 0 or phase != 99:
            continue
        last, sets = closing(files, secret, game, turn, stage, known)
        if files.read(f"turns/{stage}/beacon.json") is None or ".r" in stage:
            continue
        good = told.get((turn, last), {}).get("sets") == sets
        print(f"turn {turn} was closed with the hash {sets}", "" if good else "which captains were not told")
        wrong += not good
    for h in hashes:
        print(f"{h}: {known.get(h, 'nothing of the game has this hash')}")
        wrong += h not in known
    return wrong


def main(path, hashes):
    files = Files(path)
    secret = bytes.fromhex(files.read("secret").strip())
    print("hash of the secret:", hashlib.sha256(secret).hexdigest())
    state = json.loads(files.read("turns/0000/state.json"))
    game, form = state["game"], state["format"]
    words, thrown, wrong, last, told, luck = "", 0, 0, 0, 0, []
    for turn, phase, name in files.stages():
        text = files.read(f"turns/{name}/events.jsonl")
        if text is None or turn == 0:
            continue
        events = [json.loads(line) for line in text.splitlines()]
        if turn != last:
            told, last, luck = 0, turn, []
        for e in events[told:]:
            if e["type"] == "luck":
                ship = e["ship"] + ("/" + e["post"] if e.get("post") else "")
                luck.append((ship, e["words"]))
                words = sha256("starpost dice words 2", words, turn, ship, e["words"]).hex()
                if sha256("starpost dice luck 1", e["words"]).hex() != e["hash"]:
                    print(f"turn {turn}: the words of {ship} have not the hash that is shown")
                    wrong += 1
        beacon = files.beacon(name, phase)
        key = key_of(secret, game, turn, words, luck, form, beacon)
        for e in events[told:]:
            if e["type"] != "roll":
                continue
            thrown += 1
            shown = e.get("was") or e["value"]
            value = throw(key, game, e["dice"], e["name"])
            print(turn, e["dice"], e["name"], value, "" if value == shown else f"the game has {shown}")
            wrong += value != shown
        told = len(events)
    wrong_closings = closings(files, secret, game, hashes)
    print(f"{thrown} dice, {wrong} wrong")
    return wrong + wrong_closings > 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
