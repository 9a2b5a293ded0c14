"""Names of files that say what is inside, on every system and in every language."""

from __future__ import annotations

import re
import unicodedata

from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.study import Study

LONGEST_NAME = 120
"""Characters of a file name, its extension included."""

_LONGEST_PART = 40
_OTHER = re.compile(r"[^A-Za-z0-9.]+")
_IS_EXTENSION = re.compile(r"[a-z0-9]{1,10}(?:\.[a-z0-9]{1,10})?\Z").match
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE).match


def file_name(*parts: object, extension: str) -> str:
    """Join parts into a name of safe characters and bounded length.

    Letters lose their accents, and whatever is not a letter, a digit or a point becomes a
    hyphen. Where the name would be too long, parts in the middle are left out.

    Parameters
    ----------
    *parts : object
        From the general to the particular; empty ones are left out.
    extension : str
        Without the first point.

    Returns
    -------
    str

    Examples
    --------
    >>> file_name("Les Misérables", "R", "T5", "kernel", extension="npz")
    'Les-Miserables_R_T5_kernel.npz'
    >>> file_name("../../etc/passwd", extension="csv")
    'etc-passwd.csv'
    """
    if not _IS_EXTENSION(extension):
        raise InvalidParameterError(
            f"The 'extension' parameter of file_name must be like 'csv'. Got {extension!r} instead."
        )
    words = [word for word in map(_word, parts) if word] or ["graph"]
    if _RESERVED(words[0]):
        words[0] = f"graph-{words[0]}"
    while len("_".join(words)) + len(extension) + 1 > LONGEST_NAME:
        del words[len(words) // 2]
    return f"{'_'.join(words)}.{extension}"


def study_file_name(study: Study, what: str, extension: str) -> str:
    """Name a file with a result of a study.

    Parameters
    ----------
    study : Study
        Of any kind.
    what : str
        What is inside: "embedding".
    extension : str
        Without the first point.

    Returns
    -------
    str

    Examples
    --------
    >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
    >>> study = NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree"))
    >>> study_file_name(study, "embedding", "csv")
    'barbell-10-10_R_alpha0.8_beta0.2_T5_embedding.csv'
    """
    return file_name(*study.file_parts(), what, extension=extension)


def _word(part: object) -> str:
    text = "" if part is None else str(part)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _OTHER.sub("-", plain)[:_LONGEST_PART].strip("-.")
