#!/usr/bin/env python3
"""Works out the dice of a game of Starpost from its files alone, by docs/formats.md.

    python3 public_dice.py GAME [--closing HASH]... [--set HASH]...

GAME is the folder "game" of an unpacked archive. Each die of each turn is worked out from the secret, the
words for luck, the beacon's round where the game has public dice, and its name; what was closed is held against
the journal. HASH is one out of a mail: of a closing, or of an acknowledged set. The signature of a beacon is
not checked here: fetch the round from a relay, or use a library for BLS12-381.
"""

import argparse
import hashlib
import hmac
import json
import pathlib
import re
import struct
import sys

DICE = {"d6": (1, 6), "2d6": (2, 6), "d10": (1, 10), "d100": (1, 100)}


def frame(*fields):
    out = b""
    for f in fields:
        f = f if isinstance(f, bytes) else str(f).encode()
        out += struct.pack(">Q", len(f)) + f
    return out


def sha(*fields):
    return hashlib.sha256(frame(*fields))


def chacha8(seed):
    """The numbers of a seed: the first four blocks, interleaved by words."""

    def rotl(x, n):
        return (x << n | x >> 32 - n) & 0xFFFFFFFF

    key, blocks = struct.unpack("<8I", seed), []
    for counter in range(4):
        s = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *key, counter, 0, 0, 0]
        for _ in range(4):
            for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                               (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
                for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    s[x] = (s[x] + s[y]) & 0xFFFFFFFF
                    s[z] = rotl(s[z] ^ s[x], n)
        blocks.append(s[:4] + [(w + k) & 0xFFFFFFFF for w, k in zip(s[4:12], key)] + s[12:])
    words = b"".join(struct.pack("<4I", *(b[w] for b in blocks)) for w in range(16))
    return struct.unpack("<32Q", words)


def throw(key, game, die, name):
    count, sides = DICE[die]
    numbers = iter(chacha8(sha("starpost dice roll 1", key, game, die, name).digest()))
    total = 0
    for _ in range(count):
        v = next(n for n in numbers if n < 2**64 // sides * sides)
        total += v % sides + 1
    return total


def beacons(folder):
    """The beacons of a turn's rounds, None for one with the host's own dice; nothing without files."""
    out = []
    while True:
        n = len(out) + 1
        file = folder / ("beacon.json" if n == 1 else f"beacon.p{n}.json")
        if not file.exists():
            return out
        b = json.loads(file.read_text())
        if "own" in b:
            out.append(None)
            continue
        if hashlib.sha256(bytes.fromhex(b["signature"])).hexdigest() != b["randomness"]:
            sys.exit(f"{file}: the randomness is not the SHA-256 of the signature")
        out.append(b)


def events(folder):
    return [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]


class Check:
    def __init__(self, folder):
        self.dir = pathlib.Path(folder)
        self.secret = bytes.fromhex((self.dir / "secret").read_text().strip())
        self.state = json.loads((self.dir / "turns/0000/state.json").read_text())
        self.game = self.state["game"]
        self.wrong, self.dice, self.known = [], 0, {}

    def turn(self, folder, n, luck):
        """Throws the dice of a turn again; gives what came of the words for luck."""
        log = events(folder)
        for e in log:
            if e["type"] == "luck":
                seat = e["ship"] + ("/" + e["post"] if e.get("post") else "")
                luck = sha("starpost dice words 2", luck, n, seat, e["words"]).hexdigest()
                if sha("starpost dice luck 1", e["words"]).hexdigest() != e["hash"]:
                    self.wrong.append(f"{folder.name}: the words of {seat} have another hash")
        rounds = beacons(folder)
        told = [0]  # how many events each round had told
        for k in range(1, len(rounds)):
            part = self.dir / f"turns/{n:04d}.p{k}"
            told.append(len(events(part)) if part.exists() else 0)
        for at, e in enumerate(log):
            if e["type"] != "roll":
                continue
            now = max((k for k, before in enumerate(told) if at >= before), default=0)
            b = rounds[now] if rounds else None
            if b:
                key = sha("starpost dice turn 3", self.secret, self.game, n, luck, b["chain"], b["round"], b["randomness"]).digest()
            else:
                key = sha("starpost dice turn 2", self.secret, self.game, n, luck).digest() if luck else self.secret
            got = throw(key, self.game, e["dice"], e["name"])
            self.dice += 1
            if got != e.get("was", e["value"]):
                self.wrong.append(f"{folder.name}: {e['name']} is {e['value']}, by the recipe {got}")
        return luck

    def closing(self, folder, n):
        """Works out the hash of what a turn was played with."""
        manifest = json.loads((folder / "manifest.json").read_text())
        last = len(manifest.get("rounds", [])) + 1
        inner = hmac.new(self.secret, frame("starpost dice key 1", "closing", n, last), hashlib.sha256)
        fields = ["starpost closing 1", inner.hexdigest(), self.game, n, last]
        files = sorted((f.relative_to(folder).as_posix(), f) for f in (folder / "orders").rglob("*.txt"))
        for name, file in files:
            fields += [name, file.read_bytes()]
            self.known[hashlib.sha256(file.read_bytes()).hexdigest()] = f"{name} of turn {n}"
        for k in range(1, last + 1):
            policies = manifest.get("missing", {}) if k == 1 else manifest.get("silent", {}).get(str(k), {})
            for seat in sorted(policies):
                fields += [k, seat, policies[seat]]
        return sha(*fields).hexdigest(), last

    def run(self):
        closed = {}
        for line in (self.dir / "journal.jsonl").read_text().splitlines() if (self.dir / "journal.jsonl").exists() else []:
            e = json.loads(line)
            if e["kind"] == "close":
                closed[e["turn"], e.get("round", 1) or 1] = e["data"]
                self.known[e["data"]["sets"]] = f"the closing of turn {e['turn']}"
        luck, folders = "", sorted(f for f in (self.dir / "turns").iterdir() if re.fullmatch(r"\d{4,}", f.name))
        for folder in folders[1:]:
            n = int(folder.name)
            luck = self.turn(folder, n, luck)
            if not beacons(folder):
                continue
            sets, last = self.closing(folder, n)
            told = closed.get((n, last))
            if not told:
                self.wrong.append(f"turn {n} was never closed")
            elif told["sets"] != sets:
                self.wrong.append(f"turn {n} was played with other orders than were closed")
            elif beacons(folder)[-1] and beacons(folder)[-1]["round"] != told["round"]:
                self.wrong.append(f"turn {n} has its dice from another round than was told")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("game")
    p.add_argument("--closing", action="append", default=[])
    p.add_argument("--set", action="append", default=[])
    a = p.parse_args()
    c = Check(a.game)
    c.run()
    for h in a.closing + a.set:
        print(f"{h}: {c.known.get(h, 'nothing of the game has this hash')}")
        if h not in c.known:
            c.wrong.append(f"{h} is not in the game")
    print(f"{c.dice} dice worked out")
    for w in c.wrong:
        print(w)
    sys.exit(1 if c.wrong else 0)


if __name__ == "__main__":
    main()
