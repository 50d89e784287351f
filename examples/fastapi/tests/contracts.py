"""Schemas and fixtures of Mailsweep, from the checkout or from the folder that CONTRACTS names."""

import json
import os
from pathlib import Path

CHECKOUT = Path(__file__).parents[3] / "packages" / "contracts"
CONTRACTS = Path(os.environ.get("CONTRACTS", CHECKOUT))


def read(path: str):
    return json.loads((CONTRACTS / path).read_text(encoding="utf-8"))
