#!/usr/bin/env python3
"""Checks the signature of a public beacon, without Starpost and without a library.

    python3 beacon.py beacon.json...                 by the key of drand's chain quicknet
    python3 beacon.py --key KEY beacon.json...       by another key: 192 hexadecimal digits

The scheme is bls-unchained-g1-rfc9380. With e the pairing of BLS12-381, g2 its generator of G2, H
the hash to G1 of RFC 9380 (BLS12381G1_XMD:SHA-256_SSWU_RO_), the signature holds if
    e(signature, g2) == e(H(SHA-256(round as 8 bytes, highest first)), key)
It takes a second or two for each, and no care against those who measure the time: nothing in it is
secret. The exit code is 1 if one does not hold.
"""
import hashlib
import json
import sys

QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
QUICKNET_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"

# The curve: y^2 = x^3 + 4 over the field of P elements, of which R points are G1. X makes both.
X = 0xD201000000010000
R = X**4 - X**2 + 1
P = (X + 1) ** 2 // 3 * R - X
assert P == 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
G2 = (
    (
        0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
        0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E,
    ),
    (
        0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
        0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE,
    ),
)


class Bad(Exception):
    """What is wrong with a signature or a key."""


# Numbers a + b*u with u*u = -1 are pairs, points of both groups pairs of such; None is infinity.
def add(a, b):
    return (a[0] + b[0]) % P, (a[1] + b[1]) % P


def sub(a, b):
    return (a[0] - b[0]) % P, (a[1] - b[1]) % P


def mul(a, b):
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P


def times(a, n):
    return a[0] * n % P, a[1] * n % P


def inverse(a):
    n = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return a[0] * n % P, -a[1] * n % P


def slope(s, t):
    """That of the line through two points, or of the tangent where they are one."""
    if s == t:
        return mul(times(mul(s[0], s[0]), 3), inverse(times(s[1], 2)))
    return mul(sub(t[1], s[1]), inverse(sub(t[0], s[0])))


def plus(s, t):
    if s is None or t is None:
        return s or t
    if s[0] == t[0] and s != t:
        return None
    m = slope(s, t)
    x = sub(sub(mul(m, m), s[0]), t[0])
    return x, sub(mul(m, sub(s[0], x)), s[1])


def multiple(s, n):
    out = None
    while n:
        if n & 1:
            out = plus(out, s)
        s, n = plus(s, s), n >> 1
    return out


# Numbers of the pairing are six pairs: powers 0 to 5 of w, with w^6 = 1 + u.
def product(f, g):
    out = [(0, 0)] * 6
    for i, a in enumerate(f):
        if a == (0, 0):
            continue
        for j, b in enumerate(g):
            c = mul(a, b)
            if i + j > 5:
                c = mul(c, (1, 1))
            out[(i + j) % 6] = add(out[(i + j) % 6], c)
    return out


ONE = [(1, 0)] + [(0, 0)] * 5


def power(f, n):
    out = ONE
    for bit in bin(n)[2:]:
        out = product(out, out)
        if bit == "1":
            out = product(out, f)
    return out


def line(s, t, at):
    """The line through two points of G2, at a point of G1, times w^3 (which the last power takes away)."""
    m = slope(s, t)
    return [sub(mul(m, s[0]), s[1]), (0, 0), times(m, -at[0][0]), at[1], (0, 0), (0, 0)]


def miller(q, p):
    """Miller's loop. The parameter of the curve is negative, of which both sides of an equation take no notice."""
    f, t = ONE, q
    for bit in bin(X)[3:]:
        f, t = product(product(f, f), line(t, t, p)), plus(t, t)
        if bit == "1":
            f, t = product(f, line(t, q, p)), plus(t, q)
    return f


def root(n):
    """The square root of a number of the field; None if it has none."""
    r = pow(n, (P + 1) // 4, P)
    return r if r * r % P == n % P else None


def root2(a):
    """The same of a pair."""
    norm = root(a[0] * a[0] + a[1] * a[1])
    if norm is None:
        return None
    for sign in (norm, -norm):
        x = root((a[0] + sign) * pow(2, -1, P))
        if x:
            r = (x, a[1] * pow(2 * x, -1, P) % P)
            return r if mul(r, r) == a else None
    x = root(-a[0])  # a is no square of the field itself
    return None if x is None or a[1] else (0, x)


def point(data, size):
    """Reads a point of G1 (48 bytes) or of G2 (96 bytes)."""
    if len(data) != size or not data[0] & 0x80:
        raise Bad(f"not a compressed point of {size} bytes")
    if data[0] & 0x40:
        raise Bad("the point at infinity")
    first = bytes([data[0] & 0x1F]) + data[1:48]
    parts = [int.from_bytes(b, "big") for b in ((first,) if size == 48 else (data[48:], first))]
    if max(parts) >= P:
        raise Bad("a coordinate is none of the field")
    x = (parts[0], parts[1] if size == 96 else 0)
    square = add(mul(x, mul(x, x)), (4, 4 if size == 96 else 0))
    y = root2(square) if size == 96 else root(square[0])
    if y is None:
        raise Bad("not on the curve")
    y = y if size == 96 else (y, 0)
    high = y[1] or y[0]
    if (high > P // 2) != bool(data[0] & 0x20):
        y = times(y, -1)
    if multiple((x, y), R) is not None:
        raise Bad("outside of the subgroup")
    return x, y


# Hashing to G1: to y^2 = x^3 + ISO_A x + ISO_B first, and from there by the isogeny whose kernel are the
# points at which KERNEL (coefficients from x^0 on) is zero.
ISO_A = 0x144698A3B8E9433D693A02C96D4982B0EA985383EE66A8D8E8981AEFD881AC98936F8DA0E0F97F5CF428082D584C1D
ISO_B = 0x12E2908D11688030018B12E8753EEE3B2016C1F0F24F4070A0B9C14FCEF35EF55A23215A316CEAA5D1CC48E98E172BE0
KERNEL = (
    0x133341FB0962A34CB0504A9C4FADA0A5090D38679B4C040D5D1C3AFB023A3409FCC0815FEA66D8B02BBEF9C8B5A66E07,
    0x0264908AF037BCEDE00D054CF5D4775E83EB6CF63C76B969F8ED174FB59FCFF78D201F46F6CFC4ED6552E59CE75177B0,
    0x1335C502C1F54C49ACEEA65E87FD7203BA0F626F305FC0CFD606A5DAE9F3C8E81A4B3B69600129FABD307C69BF319D39,
    0x094440F65F408A6E930E16E3E92DD17BF60D6E9679A8D3D58593DE55AC23703042D609537EB3549AAC234D896CA82944,
    0x04AFE09D5CF4956A23B6B71F59D2B3407B415A774B7BE81BBB6FA99CBC798E0AC98BA725A5BC328016B1C268B4766E85,
    1,
)


def expand(message, size):
    """expand_message_xmd of RFC 9380."""
    dst = DST + bytes([len(DST)])
    first = hashlib.sha256(bytes(64) + message + size.to_bytes(2, "big") + b"\0" + dst).digest()
    out, block = b"", bytes(32)
    for i in range(1, size // 32 + 1):
        block = hashlib.sha256(bytes(a ^ b for a, b in zip(first, block)) + bytes([i]) + dst).digest()
        out += block
    return out


def on_curve(u):
    """The simplified map of Shallue, van de Woestijne and Ulas, with Z = 11."""
    z = 11 * u * u % P
    d = (z * z + z) % P
    x = -ISO_B * (1 + pow(d, -1, P)) * pow(ISO_A, -1, P) % P if d else ISO_B * pow(11 * ISO_A, -1, P) % P
    y = root(x**3 + ISO_A * x + ISO_B)
    if y is None:
        x = z * x % P
        y = root(x**3 + ISO_A * x + ISO_B)
    return x, y if y % 2 == u % 2 else -y % P


def isogeny(x, y):
    """Kohel's formulas for a curve's map of degree 11, and from there to ours by 11."""
    f, f1, f2 = x**3 + ISO_A * x + ISO_B, 3 * x * x + ISO_A, 6 * x
    h, derived = [], list(KERNEL)
    for _ in range(4):
        h.append(sum(c * pow(x, i, P) for i, c in enumerate(derived)) % P)
        derived = [i * c for i, c in enumerate(derived)][1:]
    inv = pow(h[0], -1, P)
    q = h[1] * inv % P  # h'/h, and its derivatives
    q1 = (h[2] * inv - q * q) % P
    q2 = (h[3] * inv - h[2] * inv * q - 2 * q * q1) % P
    out = 11 * x + 2 * KERNEL[4] - 2 * f1 * q - 4 * f * q1
    change = 11 - 2 * f2 * q - 6 * f1 * q1 - 4 * f * q2
    return (out * pow(11, -2, P) % P, 0), (change * y * pow(11, -3, P) % P, 0)


def hashed(message):
    data = expand(message, 128)
    u = [int.from_bytes(data[i : i + 64], "big") % P for i in (0, 64)]
    return multiple(plus(isogeny(*on_curve(u[0])), isogeny(*on_curve(u[1]))), X + 1)


def check(number, signature, key):
    """Raises Bad if a signature is not that of a round."""
    s = point(signature, 48)
    h = hashed(hashlib.sha256(number.to_bytes(8, "big")).digest())
    both = product(miller(G2, s), miller(point(key, 96), (h[0], times(h[1], -1))))
    if power(both, (P**12 - 1) // R) != ONE:
        raise Bad("it is not by this key, or not of this round")


def main(args):
    chain, key = QUICKNET, QUICKNET_KEY
    if args[:1] == ["--key"] and len(args) > 1:
        chain, key, args = None, args[1], args[2:]
    if not args:
        sys.exit(__doc__)
    bad = 0
    for name in args:
        with open(name, encoding="utf-8") as f:
            beacon = json.load(f)
        if "own" in beacon:
            print(f"{name}: the host's own dice, and no beacon")
            continue
        try:
            if chain and beacon["chain"] != chain:
                raise Bad(f"it is of chain {beacon['chain']}: give its key")
            signature = bytes.fromhex(beacon["signature"])
            if hashlib.sha256(signature).hexdigest() != beacon["randomness"]:
                raise Bad("the randomness is not the SHA-256 of the signature")
            check(beacon["round"], signature, bytes.fromhex(key))
            print(f"{name}: round {beacon['round']} holds")
        except Bad as why:
            bad = 1
            print(f"{name}: round {beacon['round']} does not hold: {why}")
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
