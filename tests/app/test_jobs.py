"""Who is who: one user for all tabs of a browser, whatever else its cookie holds."""

import pytest

from ui.shared.jobs import _token

TOKEN = bytes(range(16))


def cookie(mask, token=TOKEN, time=1794965945):
    masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(token))
    return f"2|{mask.hex()}|{masked.hex()}|{time}"


@pytest.mark.parametrize("mask", [b"\0\0\0\0", b"\1\2\3\4", b"\xff\0\xaa\x55"])
def test_the_token_is_the_same_under_every_mask(mask):
    assert _token(cookie(mask)) == TOKEN
    assert _token(cookie(mask, TOKEN[::-1])) != TOKEN


@pytest.mark.parametrize("broken", [None, "", "2|zz|00|1", "1|00000000|0011|2", "2|00|0011|1", 7])
def test_other_cookies_name_nobody(broken):
    assert _token(broken) == b""
