#!/usr/bin/env python3
"""An engine that knows how ships of the Basic Course move, and nothing else: an example for docs/cases.md, written from that page.

    starpost cases "stcs 3.5" --run "python3 examples/cases/toy/toy.py"
"""
import json, sys

HEADINGS = "ABCDEF"
TURN = {"L": -1, "R": 1}
WORDS = {"F", "FF", "FL", "FR", "L", "R", "SL", "SR", "H"}


class Declined(Exception):
    pass


def label(hex):
    column, row = hex
    return f"{column:02}{row:02}" if 1 <= column <= 99 and 1 <= row <= 99 else f"{column}.{row}"


def ahead(hex, heading):
    """The hex next to this one. Even columns stand half a hex lower."""
    column, row = hex
    if heading in "AD":
        return column, row + (1 if heading == "D" else -1)
    up, low = heading in "FB", column % 2 == 0
    return column + (1 if heading in "BC" else -1), row - (up and not low) + (not up and low)


def turned(heading, side):
    return HEADINGS[(HEADINGS.index(heading) + TURN[side]) % 6]


def moved(place, word):
    hex, heading = place
    if word in ("F", "FF", "FL", "FR"):
        hex = ahead(hex, heading)
    if word == "FF":
        hex = ahead(hex, heading)
    if word[0] == "S":
        hex = ahead(ahead(hex, turned(heading, word[1])), heading)
    elif word[-1] in "LR":
        heading = turned(heading, word[-1])
    return hex, heading


class Ship:
    def __init__(self, given, classes):
        if set(given) - {"name", "side", "class", "hex", "heading"}:
            raise Declined("only whole ships that are there from the beginning")
        self.name, self.id = given["name"], given["name"].lower()
        self.place = ((int(given["hex"][:2]), int(given["hex"][2:])), given["heading"])
        power, points = (int(n) for n in classes[given["class"]]["move"].split("/"))
        self.cost, self.gives = power, points
        engines = classes[given["class"]]
        self.power = sum(engines["warp"]) + engines["impulse"]

    def read(self, orders):
        """Takes in an order set and gives the remarks on it."""
        self.words, self.line, self.points, self.movement, remarks, spoken = {1: [], 2: [], 3: []}, {}, 0, 0, [], set()
        section = None
        for number, text in enumerate(orders.get("lines", []), orders["line"] + 1):
            words = text.split()
            if not words or words == ["power"]:
                section = "power" if words else section
            elif words[0] == "phase" and len(words) == 2:
                section = int(words[1])
                spoken.add(section)
            elif section == "power" and words[0] == "move" and words[1].isdigit() and words[2:] in ([], ["points"]):
                self.give(int(words[1]), words[2:] == ["points"], number, remarks)
            elif section in self.words and words[0] == "move":
                bad = [w for w in words[1:] if w not in WORDS]
                remarks += [{"code": "E031", "line": number} for _ in bad]
                self.words[section] += [] if bad else words[1:]
                self.line[section] = number, text.strip()
            else:
                raise Declined(f"no order of movement: {text.strip()}")
        if any(r["code"] == "E031" for r in remarks):
            return remarks
        if 4 * (self.power - self.movement) >= self.power:
            remarks.insert(0, {"code": "W122", "line": orders["line"]})
        share, short = self.split(), False
        for phase in (1, 2, 3):
            if len(self.words[phase]) > share[phase - 1]:
                remarks.append({"code": "E110", "line": self.line[phase][0]})
            short = short or len(self.words[phase]) < share[phase - 1]
        if short:
            remarks.append({"code": "W111", "line": orders["line"]})
        return remarks

    def give(self, amount, points, number, remarks):
        self.movement = -(-amount * self.cost // self.gives) if points else amount
        self.points = amount if points else amount * self.gives // self.cost
        if self.movement > self.power:
            raise Declined("more power than there is")
        if not points and -(-self.points * self.cost // self.gives) < amount:
            remarks.append({"code": "W121", "line": number})

    def split(self):
        k, rest = divmod(self.points, 3)
        return [k + (rest == 2), k + (rest == 1), k + (rest == 2)]


def advantage(ships, turn, dice, events):
    """The ships from the lowest throw to the highest; ties throw again among themselves."""
    def order(tied, throw):
        if len(tied) < 2:
            return tied
        rolls = {}
        for s in tied:
            name = f"t{turn}.advantage.{s.id}" + (f".{throw}" if throw > 1 else "")
            if name not in dice:
                raise Declined(f"no throw {name}")
            rolls[s.id] = dice.pop(name)
            events.append({"type": "roll", "name": name, "dice": "d10", "value": rolls[s.id]})
        out = []
        for value in sorted(set(rolls.values())):
            out += order([s for s in tied if rolls[s.id] == value], throw + 1)
        return out
    best_last = order(ships, 1)
    events.append({"type": "advantage", "step": "advantage", "phase": 0, "order": [s.id for s in best_last]})
    return best_last


def play(turn, number, ships):
    remarks, events = {}, []
    for s in ships:
        s.read({"line": 0})
    for orders in turn.get("orders", []):
        if orders.get("policy") or orders.get("robot"):
            raise Declined("no absences and no robots")
        ship = next((s for s in ships if s.name == orders["ship"]), None)
        if ship is None:
            raise Declined("no posts")
        remarks[ship.name] = ship.read(orders)
    if not turn["resolve"]:
        return {"remarks": remarks}
    dice = dict(turn.get("dice", {}))
    for s in ships:
        events.append({"type": "power", "step": "power", "ship": s.id, "movement": s.movement, "points": s.points, "split": s.split()})
    best_last = advantage(ships, number, dice, events)
    for phase in (1, 2, 3):
        for s in sorted(best_last, key=lambda s: -s.points):
            share, words = s.split()[phase - 1], s.words[phase]
            if len(words) > share:
                line, order = s.line[phase]
                events.append({"type": "skip", "phase": phase, "ship": s.id, "line": line, "order": order,
                               "reason": f"too many movement words: {share} of {len(words)} were moved"})
            for word in (words + ["H"] * share)[:share]:
                was, s.place = s.place, moved(s.place, word)
                events.append({"type": "move", "step": "movement", "phase": phase, "ship": s.id, "word": word, "cost": 1,
                               "from": {"hex": label(was[0]), "heading": was[1]}, "to": {"hex": label(s.place[0]), "heading": s.place[1]}})
    return {
        "remarks": remarks, "events": events, "faults": [f"{name} was never asked" for name in dice],
        "game": {"turn": number, "sides": [], "ships": [
            {"id": s.id, "name": s.name, "hex": label(s.place[0]), "heading": s.place[1], "status": "active"} for s in ships]},
    }


def answer(question):
    unknown = set(question["scenario"]) - {"format", "name", "title", "rules", "side", "ship"}
    if question["rules"] != "stcs-basic" or unknown:
        raise Declined("only the Basic Course on an open map")
    ships = [Ship(s, question["classes"]) for s in question["scenario"]["ship"]]
    return {"turns": [play(t, n, ships) for n, t in enumerate(question["turns"], 1)]}


for text in sys.stdin:
    question = json.loads(text)
    try:
        told = answer(question)
    except Declined as why:
        told = {"declined": str(why)}
    print(json.dumps({"case": question["case"], **told}), flush=True)
