"""What the wheel holds: the package, and two folders of the top level inside it."""

from setuptools import find_packages, setup

FOLDERS = {f"mpgk_core._data.{folder}": folder for folder in ("lessons", "sample_graphs")}
"""Where they lie in the wheel; ``shipped_folder`` in mpgk_core/datasets/local.py finds them."""

FILES = ["py.typed", "**/*.json", "export/programs.toml", "export/report.*"]
"""What belongs to the package beside Python."""

setup(
    packages=[*find_packages(include=["mpgk_core*"]), *FOLDERS],
    package_dir=FOLDERS,
    package_data={"mpgk_core": FILES} | {name: ["*"] for name in FOLDERS},
)
