"""XML from strangers: what is dangerous is refused, with a line."""

import pytest

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.safe_xml import XmlReader
from mpgk_core.formats.source import Source


class Reader(XmlReader):
    """Collects the texts of all tags b."""

    def __init__(self, content: bytes) -> None:
        super().__init__(Source("a.xml", content))
        self.texts: list[str] = []

    def start_b(self, attributes):
        return True

    def end_b(self, text):
        self.texts.append(text)


def texts(content: bytes) -> list[str]:
    reader = Reader(content)
    reader.run()
    return reader.texts


def refusal(content: bytes) -> str:
    with pytest.raises(UnreadableFileError) as caught:
        texts(content)
    return str(caught.value)


LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE a [
<!ENTITY x "ha">
<!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;">
]>
<a><b>&y;</b></a>"""


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (LAUGHS, 2),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 1),
        (b'\n<!DOCTYPE a PUBLIC "x" "http://localhost/x.dtd">\n<a/>', 2),
        (b"<!DOCTYPE a [<!ENTITY % x SYSTEM 'file:///etc/passwd'> %x;]><a/>", 1),
        (b"<!DOCTYPE a [<!ELEMENT a ANY>]><a/>", 1),
    ],
)
def test_document_types_with_definitions_or_references_are_refused(content, line):
    assert f"line {line}: The document type" in refusal(content)


def test_a_bare_document_type_is_fine():
    assert texts(b"<!DOCTYPE a><a><b>x</b></a>") == ["x"]


def test_undeclared_entities_are_refused():
    assert "line 2" in refusal(b"<a>\n<b>&nbsp;</b></a>")


def test_depth_is_bounded_but_not_by_the_stack_of_python():
    deep = b"<a>" * 100_000 + b"</a>" * 100_000
    assert "more than 60 deep" in refusal(deep)
    assert texts(b"<b>" + b"<a>" * 59 + b"x" + b"</a>" * 59 + b"</b>") == ["x"]


def test_a_tag_that_never_ends_is_refused_before_the_file_is_through():
    endless = b'<a b="' + b"x" * 5_000_000
    assert "A tag or a comment is longer than" in refusal(endless)
    assert "A tag or a comment is longer than" in refusal(b"<a><!--" + b"x" * 5_000_000)


def test_long_texts_are_refused_unless_nobody_wants_them():
    long = b"<a>" + b"x" * 300_000 + b"<b>y</b></a>"
    assert texts(long) == ["y"]
    assert "longer than 100,000 characters" in refusal(b"<a><b>" + b"x\n" * 60_000 + b"</b></a>")


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "utf-16", "utf-8-sig"])
def test_declared_encodings_and_marks_are_understood(encoding):
    declared = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    content = f'<?xml version="1.0" encoding="{declared}"?><a><b>é</b></a>'.encode(encoding)
    assert texts(content) == ["é"]


@pytest.mark.parametrize("encoding", ["rot13", "no-such-code", "utf-7", "shift_jis", "hex"])
def test_other_encodings_are_refused(encoding):
    content = f'<?xml version="1.0" encoding="{encoding}"?><a/>'.encode()
    assert "Save the file as UTF-8" in refusal(content)


def test_bytes_that_are_no_text_are_refused_with_a_line():
    assert "line 2" in refusal(b"<a>\n<b>\xff</b></a>")
    assert "line 1" in refusal(b"<a>\0</a>")


def test_a_prefix_of_the_outermost_tag_is_left_out_of_all():
    assert texts(b'<g:a xmlns:g="x"><g:b>1</g:b><h:b>2</h:b></g:a>') == ["1"]


def test_text_of_inner_tags_belongs_to_the_outer_one():
    assert texts(b"<a><b>1<c>2</c><![CDATA[<3>]]>&amp;</b></a>") == ["12<3>&"]
