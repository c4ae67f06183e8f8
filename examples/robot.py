#!/usr/bin/env python3
"""A captain that is a program: it looks once into a mailbox, and answers each report of a host with orders.

    PASSWORD=... python3 robot.py ann@example.org battles@example.org imap.example.org:993 smtp.example.org:465

It needs starpost in the PATH, for the check. It goes for the nearest enemy in the tactical courses; see docs/api.md.
"""
import email, email.policy, email.utils, imaplib, json, math, os, re, smtplib, subprocess, sys, tempfile
from email.message import EmailMessage
from fractions import Fraction

me, host, imap_at, smtp_at = sys.argv[1:]

def connect(at, safe, bare):
    server, port = at.rsplit(":", 1)
    return (bare if server == "127.0.0.1" else safe)(server, int(port))  # bare: servers of a test on this machine

def orders(view, ship, head, share):
    """The order set of a ship: this share of her power is kept for movement, the rest is for weapons and a shield."""
    foes = [s for s in view["ships"] if s["side"] != ship["side"] and s["status"] == "active" and "range" in s]
    system, left, lines = ship["system"], ship["system"]["power"], []
    for bank in system["banks"] if foes else []:
        mounts = [bank.get("max", bank.get("arm")) for m in bank["mounts"] if not m.get("destroyed")]
        if mounts and left - sum(mounts) >= share * system["power"]:
            left -= sum(mounts)
            lines.append(f"  arm {bank['id']} " + " ".join(map(str, mounts)))
    shield = Fraction(system["design"]["shield"])  # power for a point
    points = min(system["design"]["max_shield"], int((left - share * system["power"]) / shield))
    if points > 0:
        left -= math.ceil(points * shield)
        lines.append(f"  shields 2:{points}")
    lines.append(f"  move {left - left % Fraction(system['design']['move']).numerator}")
    if foes:
        foe = min(foes, key=lambda s: s["range"])["id"]
        for phase in 1, 2, 3:
            lines += [f"phase {phase}", f"  pursue {foe} to 4 showing 2", f"  fire all at {foe} when chance >= 40%"]
    return "\n".join([head, "final", "power"] + lines + ["#end", ""])  # final: no one need wait for changes

def checked(view, text):
    """What starpost finds in orders, by the view alone."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(["starpost", "check", "--json", "--view", "-", file.name], input=json.dumps(view), capture_output=True, text=True)
    if done.returncode not in (0, 3):  # 3: there are mistakes, and the answer tells them
        sys.exit(done.stderr)
    return json.loads(done.stdout)[0]

def answer(report, view):
    """A mail with orders for each ship that is due, as good as the check lets them be."""
    told = report.get_body(("plain",)).get_content()
    body = ""
    for ship in view["ships"]:
        head = re.search(rf'^#orders .* ship "?{re.escape(ship["name"])}\b.*$', told, re.MULTILINE)
        for share in (0.4, 0.7, 1) if ship["own"] and head else ():
            found = checked(view, text := orders(view, ship, head[0], share))
            if found["ok"]:
                body += text
                break
            if share == 1:
                sys.exit(f"no orders for {ship['name']}: {found['diagnostics']}")
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = me, report["Reply-To"] or report["From"], "Re: " + report["Subject"]
    mail["In-Reply-To"], mail["Date"], mail["Message-ID"] = report["Message-ID"], email.utils.localtime(), email.utils.make_msgid()
    mail.set_content(body)
    return mail if body else None

with connect(imap_at, imaplib.IMAP4_SSL, imaplib.IMAP4) as box, connect(smtp_at, smtplib.SMTP_SSL, smtplib.SMTP) as post:
    [server.login(me, os.environ["PASSWORD"]) for server in (box, post)]
    box.select()
    for number in box.search(None, "UNSEEN")[1][0].split():
        mail = email.message_from_bytes(box.fetch(number, "(RFC822)")[1][0][1], policy=email.policy.default)
        print(mail["Subject"])
        views = [a for a in mail.iter_attachments() if (a.get_filename() or "").endswith(".json")]
        if email.utils.parseaddr(mail["From"])[1] != host or not views:
            continue  # such as the answer to orders: its subject tells whether they were accepted
        view = json.loads(views[0].get_content())
        if "result" not in view and (reply := answer(mail, view)):
            post.send_message(reply)
