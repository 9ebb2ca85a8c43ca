#!/usr/bin/env python3
"""Writes include/cuda/sluice/curand_jumps.h: how XORWOW (Marsaglia, "Xorshift RNGs", 2003) jumps ahead.

The generator's 160 bits of xorshift state follow a linear recurrence over GF(2). With p its characteristic polynomial,
x^n mod p says which of the next 160 states, added, are the state n steps on. The table has x^(2^k) mod p for every k that
curand_init() and skipahead() need: offsets are 64 bits, subsequences lie 2^67 apart.
"""

BITS = 160
MASK = 0xFFFFFFFF


def step(v):
    t = v[0] ^ (v[0] >> 2)
    return v[1:] + [(v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & MASK]


def characteristic():
    """Berlekamp and Massey on one bit of the sequence; bit i of the result is the coefficient of x^i."""
    v, bits = [123456789, 362436069, 521288629, 88675123, 5783321], []
    for _ in range(2 * BITS):
        bits.append(v[4] & 1)
        v = step(v)
    c, b, length, m = 1, 1, 0, 1
    for n in range(len(bits)):
        d = bits[n]
        for i in range(1, length + 1):
            d ^= (c >> i & 1) & bits[n - i]
        if not d:
            m += 1
        elif 2 * length <= n:
            c, b, length, m = c ^ (b << m), c, n + 1 - length, 1
        else:
            c ^= b << m
            m += 1
    assert length == BITS
    return int(format(c, "0%db" % (BITS + 1))[::-1], 2)


def times(a, b, p):
    result = 0
    while b:
        if b & 1:
            result ^= a
        a <<= 1
        if a >> BITS & 1:
            a ^= p
        b >>= 1
    return result


def main():
    p, power, table = characteristic(), 2, []
    for _ in range(67 + 64):
        table.append(power)
        power = times(power, power, p)
    print("/* Made by libs/curand/jumps.py: x^(2^k) modulo XORWOW's polynomial, k from 0 to 130, lowest word first. */")
    print("static __device__ const unsigned int sluice_xorwow_jumps[%d][5] = {" % len(table))
    for t in table:
        print("    {" + ", ".join("0x%08x" % (t >> 32 * i & MASK) for i in range(5)) + "},")
    print("};")


main()
