"""The nearest floating-point number of a decimal one, found with two products of 64 bits.

The method is that of D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and
Experience 51 (2021): w · 10^q = w · 5^q · 2^q, with the leading 128 bits of 5^q from a table. It
notices the few numbers that it cannot decide; these are left to slower arithmetic.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core._compiled import compiled

_SMALLEST_POWER, _LARGEST_POWER = -342, 308


def _leading_bits_of_powers_of_five() -> NDArray[np.uint64]:
    rows = []
    for q in range(_SMALLEST_POWER, _LARGEST_POWER + 1):
        power = 5 ** abs(q)
        if q >= 0:
            shift = power.bit_length() - 128
            bits = power >> shift if shift > 0 else power << -shift
        else:
            length = (power - 1).bit_length()
            bits = (
                (1 << (length + 127)) // power + 1
                if q >= -27
                else (1 << 2 * length + 128) // power + 1
            )
            bits >>= max(bits.bit_length() - 128, 0)
        rows.append((bits >> 64, bits & (2**64 - 1)))
    return np.array(rows, dtype=np.uint64)


_POWERS = _leading_bits_of_powers_of_five()
_0, _1, _2, _3, _9, _32, _52, _63 = (np.uint64(n) for n in (0, 1, 2, 3, 9, 32, 52, 63))
_LOW_HALF = np.uint64(2**32 - 1)
_ALL_ONES = np.uint64(2**64 - 1)
_LEADING_ONE = np.uint64(2**52)


@compiled
def nearest_float_bits(digits: np.uint64, power: np.int64) -> tuple[np.uint64, bool]:
    """Return the bits of the float nearest to ``digits`` · 10^``power``.

    Parameters
    ----------
    digits : uint64
        Up to 19 decimal digits.
    power : int
        Of ten.

    Returns
    -------
    bits : uint64
        Of the float, without a sign.
    is_decided : bool
        False for numbers that are close to a tie, below the normal range or above it; then the
        bits mean nothing.
    """
    if digits == _0:
        return _0, True
    if power < _SMALLEST_POWER or power > _LARGEST_POWER:
        return _0, False
    zeros = _leading_zeros(digits)
    word = digits << np.uint64(zeros)
    row = power - _SMALLEST_POWER
    high, low = _product(word, _POWERS[row, 0])
    if high & (_ALL_ONES >> np.uint64(55)) == _ALL_ONES >> np.uint64(55):
        correction, _ = _product(word, _POWERS[row, 1])
        low += correction
        if correction > low:
            high += _1
    if low == _ALL_ONES and not -27 <= power <= 55:
        return _0, False
    top = high >> _63
    shift = top + _9
    mantissa = high >> shift
    exponent = ((217706 * power) >> 16) + 1086 + np.int64(top) - zeros
    if exponent <= 0:
        return _0, False
    is_tie = low <= _1 and -4 <= power <= 23 and mantissa & _3 == _1 and mantissa << shift == high
    if is_tie:
        mantissa -= _1
    mantissa = (mantissa + (mantissa & _1)) >> _1
    if mantissa >= _2 * _LEADING_ONE:
        mantissa = _LEADING_ONE
        exponent += 1
    if exponent >= 2047:
        return _0, False
    return (np.uint64(exponent) << _52) | (mantissa - _LEADING_ONE), True


@compiled
def _leading_zeros(word: np.uint64) -> int:
    zeros = 0
    for step in (32, 16, 8, 4, 2, 1):
        if word >> np.uint64(64 - step) == _0:
            zeros += step
            word <<= np.uint64(step)
    return zeros


@compiled
def _product(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the high and the low 64 bits of a · b."""
    a_high, a_low, b_high, b_low = a >> _32, a & _LOW_HALF, b >> _32, b & _LOW_HALF
    middle = a_high * b_low + ((a_low * b_low) >> _32)
    other = a_low * b_high + (middle & _LOW_HALF)
    return a_high * b_high + (middle >> _32) + (other >> _32), a * b
