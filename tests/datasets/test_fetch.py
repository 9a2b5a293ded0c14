"""Downloads: bounded, checked before they are kept, and clear about what went wrong."""

import threading

import pytest

from mpgk_core import InvalidParameterError
from mpgk_core.datasets import DownloadError, cache_folder, fetch_tu
from mpgk_core.datasets.fetch import checked_address, open_address
from mpgk_core.errors import UnreadableFileError

NAME = "RINGS"


def fetch(server, **options):
    return fetch_tu(NAME, base_address=server.address, timeout=5.0, **options)


def kept():
    return sorted(path.name for path in cache_folder().glob("*"))


def test_a_data_set_is_downloaded_once(server, archive):
    found = fetch(server)
    assert (found.name, len(found.graphs), found.classes.tolist()) == (NAME, 300, [0, 1] * 150)
    assert "TUDataset" in found.citation
    assert kept() == ["RINGS.zip"]
    assert (cache_folder() / "RINGS.zip").read_bytes() == archive
    fetch(server)
    assert len(server.requests) == 1


def test_the_users_own_folder_comes_first(server, archive, monkeypatch, places):
    (places / "RINGS.zip").write_bytes(archive)
    monkeypatch.setenv("MPGK_DATA", str(places))
    assert len(fetch(server).graphs) == 300
    assert server.requests == []


def test_another_folder_can_be_the_cache(server, places):
    fetch(server, folder=places / "deep" / "er")
    assert (places / "deep" / "er" / "RINGS.zip").exists()
    assert kept() == []


def test_progress_rises_to_the_total(server, archive):
    seen = []
    fetch(server, progress=lambda done, total: seen.append((done, total)))
    done = [n for n, _ in seen]
    assert done == sorted(done)
    assert done[0] == 0
    assert seen[-1] == (len(archive), len(archive))
    assert len(seen) > 2


def test_a_broken_connection_is_tried_again(server, archive):
    server.breaks_after = [20_000, 10_000]
    assert len(fetch(server).graphs) == 300
    assert len(server.requests) == 3
    assert (cache_folder() / "RINGS.zip").read_bytes() == archive
    assert kept() == ["RINGS.zip"]


def test_a_connection_that_keeps_breaking_is_given_up_and_nothing_is_kept(server):
    server.breaks_after = [1000, 1000, 1000]
    with pytest.raises(DownloadError, match=r"broke after 1,000 of [\d,]+ bytes.*MPGK_DATA"):
        fetch(server)
    assert kept() == []
    fetch(server)
    assert kept() == ["RINGS.zip"]


def test_a_cancelled_download_keeps_nothing(server, archive):
    def cancel(done, total):
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(server, progress=cancel)
    assert kept() == []
    fetch(server)
    assert (cache_folder() / "RINGS.zip").read_bytes() == archive


def test_the_length_need_not_be_known(server, archive):
    server.sends_length = False
    fetch(server)
    assert (cache_folder() / "RINGS.zip").read_bytes() == archive


def test_a_truncated_file_of_unknown_length_is_not_kept(server):
    server.sends_length = False
    server.breaks_after = [30_000]
    with pytest.raises(UnreadableFileError):
        fetch(server)
    assert kept() == []


@pytest.mark.parametrize("content", [b"<html>Please log in.</html>", b"PK\x03\x04", b""])
def test_wrong_content_is_not_kept(server, content):
    server.files["/RINGS.zip"] = content
    with pytest.raises(UnreadableFileError, match=r"RINGS\.zip"):
        fetch(server)
    assert kept() == []


def test_a_damaged_copy_in_the_cache_is_replaced(server, archive):
    fetch(server)
    (cache_folder() / "RINGS.zip").write_bytes(archive[:5000])
    again = fetch(server)
    assert len(again.graphs) == 300
    assert again.notes[0].startswith("The copy in the cache was damaged")
    assert (cache_folder() / "RINGS.zip").read_bytes() == archive


def test_a_damaged_file_of_the_users_is_reported_and_left(server, monkeypatch, places):
    (places / "RINGS.zip").write_bytes(b"PK\x03\x04 no")
    monkeypatch.setenv("MPGK_DATA", str(places))
    with pytest.raises(UnreadableFileError):
        fetch(server)
    assert (places / "RINGS.zip").exists()
    assert server.requests == []


def test_an_unknown_name_brings_suggestions(server):
    with pytest.raises(DownloadError, match=r"no data set MUTAGG.* Did you mean MUTAG") as caught:
        fetch_tu("MUTAGG", base_address=server.address)
    assert caught.value.status == 404
    assert kept() == []


def test_a_server_in_trouble_is_named(server):
    server.statuses["/RINGS.zip"] = 503
    with pytest.raises(DownloadError, match=r"503.*upload it, or put it into the folder"):
        fetch(server)


def test_offline_says_what_to_do(server):
    address = server.address.rsplit(":", 1)[0] + ":9"
    with pytest.raises(DownloadError, match=r"no connection .*upload it.*MPGK_DATA"):
        fetch_tu(NAME, base_address=address, timeout=5.0)
    assert kept() == []


@pytest.mark.parametrize(
    "target", ["file:///etc/hostname", "ftp://127.0.0.1/RINGS.zip", "data:,x", "gopher://x/"]
)
def test_redirects_away_from_the_web_are_refused(server, target):
    server.redirects["/RINGS.zip"] = target
    with pytest.raises(DownloadError, match="not followed, for safety"):
        fetch(server)
    assert kept() == []


def test_redirects_within_the_web_are_followed(server):
    server.files["/moved/here.zip"] = server.files.pop("/RINGS.zip")
    server.redirects["/RINGS.zip"] = "/moved/here.zip"
    assert len(fetch(server).graphs) == 300


def test_redirects_in_a_circle_end(server):
    server.redirects["/RINGS.zip"] = "/RINGS.zip"
    with pytest.raises(DownloadError):
        fetch(server)


def test_encryption_is_never_given_up():
    from urllib.error import HTTPError
    from urllib.request import Request

    from mpgk_core.datasets.fetch import _Redirects

    with pytest.raises(HTTPError) as caught:
        _Redirects().redirect_request(
            Request("https://a.org/x"), None, 302, "Found", {}, "http://a.org/x"
        )
    caught.value.close()


def test_only_the_web_is_opened():
    for address in ("file:///etc/hostname", "ftp://127.0.0.1/x", "data:text/plain,x"):
        with pytest.raises(DownloadError):
            open_address(address, timeout=1.0)


@pytest.mark.parametrize("sends_length", [True, False])
def test_a_file_too_large_is_not_downloaded(server, monkeypatch, sends_length):
    monkeypatch.setenv("MPGK_MAX_FILE_BYTES", "5000")
    server.sends_length = sends_length
    with pytest.raises(UnreadableFileError, match="at most 5,000"):
        fetch(server)
    assert kept() == []


@pytest.mark.parametrize(
    "name",
    ["", "../MUTAG", "a/b", "a\\b", "C:x", "MUTAG.zip", "é", "a" * 101, "x\n", "%2e%2e", None],
)
def test_a_name_is_never_a_path(server, name):
    with pytest.raises(InvalidParameterError, match="only letters, digits"):
        fetch_tu(name, base_address=server.address)
    assert server.requests == []


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org",
        "file:///tmp",
        "ftp://a.org",
        "https://",
        "http://a.org:99999",
        "http://[::1",
        "http://a.org/ x",
        "http://a.org/?q=",
        "http://a.org/é",
        "http://a\n.org",
    ],
)
def test_an_address_must_be_one_of_the_web(address):
    with pytest.raises(InvalidParameterError, match="must look like"):
        checked_address(address)


def test_the_address_is_a_setting(server, monkeypatch):
    monkeypatch.setenv("MPGK_TU_ADDRESS", server.address + "/")
    assert len(fetch_tu(NAME).graphs) == 300


def test_a_folder_that_cannot_be_written_is_named(server, places):
    (places / "file").write_text("in the way")
    with pytest.raises(DownloadError, match=r"cannot be written to.*MPGK_CACHE"):
        fetch(server, folder=places / "file")


def test_two_downloads_at_once_do_not_disturb_each_other(server, archive):
    under_way = threading.Barrier(2, timeout=30)
    results = []

    def fetch_when_both_are_under_way():
        waits = [under_way.wait]
        found = fetch(server, progress=lambda done, _: done and waits and waits.pop()())
        results.append(len(found.graphs))

    crowd = [threading.Thread(target=fetch_when_both_are_under_way) for _ in range(2)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert results == [300, 300]
    assert (cache_folder() / "RINGS.zip").read_bytes() == archive
    assert kept() == ["RINGS.zip"]
