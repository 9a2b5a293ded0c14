"""Read lists of molecules in SMILES: one per line, or a column of a table."""

from __future__ import annotations

from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.molecules import CLASS_NAMES, MoleculeCollector
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import first_rows, is_plain_text, separator_of, text_rows

_TITLE = "SMILES"
_EXTENSIONS = (".smi", ".smiles", ".ism", ".can")
_HEADINGS = ("smiles", "smi", "canonical_smiles", "isomeric_smiles", "smile")
_NAMES = ("name", "id", "title", "mol_id", "compound")
_LONGEST = 5_000


def read(source: Source) -> GraphTables:
    """Read molecules, each a graph.

    Either every line is a SMILES, which a blank and a name may follow; or the first line names
    the columns of a table, and one of these is called "smiles". Then a column "name" or "id"
    names the molecules, and a column "class" or "activity" holds their classes.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables
    """
    molecules = MoleculeCollector(source, _TITLE)
    headings = _headings(source)
    if _column(headings, _HEADINGS) is None:
        _read_lines(source, molecules)
    else:
        _read_table(source, molecules, headings)
    return molecules.tables()


def _headings(source: Source) -> list[str]:
    rows = first_rows(source, separator_of(source))
    return [cell.strip().lower() for cell in rows[0]] if rows else []


def _column(headings: list[str], names: tuple[str, ...]) -> int | None:
    return next((headings.index(name) for name in names if name in headings), None)


def _read_lines(source: Source, molecules: MoleculeCollector) -> None:
    for number, line in enumerate(source.text.split("\n"), start=1):
        smiles, *name = line.split(None, 1) or [""]
        if smiles and not smiles.startswith("#"):
            _take(source, molecules, smiles, number, name[0].strip() if name else "", "")


def _read_table(source: Source, molecules: MoleculeCollector, headings: list[str]) -> None:
    rows = text_rows(source, separator_of(source), comments_anywhere=False)
    next(rows)
    columns = [_column(headings, names) for names in (_HEADINGS, _NAMES, CLASS_NAMES)]
    for line, cells in rows:
        smiles, name, class_name = (
            cells[column].strip() if column is not None and column < len(cells) else ""
            for column in columns
        )
        _take(source, molecules, smiles, line, name, class_name)


def _take(
    source: Source, molecules: MoleculeCollector, smiles: str, line: int, name: str, label: str
) -> None:
    if not smiles:
        raise source.error("There is no SMILES.", "Fill it in, or remove the line.", line)
    if len(smiles) > _LONGEST:
        raise source.error(
            f"A SMILES has {len(smiles):,} characters, and at most {_LONGEST:,} are read.",
            "Remove that molecule.",
            line,
        )
    molecules.take_smiles(smiles, line, name, label)


def _recognises(source: Source) -> bool:
    if source.extension in _EXTENSIONS:
        return b"\0" not in source.head
    return is_plain_text(source) and _column(_headings(source), _HEADINGS) is not None


FORMAT = Format(_TITLE, _EXTENSIONS, _recognises, read)
