"""Run with: python3 -m uvicorn service.main:app --port 8000"""

import os

from .app import create_app

app = create_app(os.environ["INTERNAL_JWT_SECRET"])
