import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from record import freeze  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def frozen():
    """Records the missing samples of the version that CAIRN_FREEZE names."""
    if version := os.environ.get("CAIRN_FREEZE"):
        freeze(HERE / version)
