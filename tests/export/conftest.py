"""All programs are run once, in one fresh process."""

import pytest

from tests.export.studies import ALL, FORMS, run_fresh


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """The folder in which every program was run, and what each one printed."""
    folder = tmp_path_factory.mktemp("programs")
    programs = {
        f"{form} {name}": text_of(study)
        for form, text_of in FORMS.items()
        for name, study in ALL.items()
    }
    return folder, run_fresh(programs, folder)
