import logging
from datetime import datetime, timezone
from typing import Optional

from fastapi import Depends, FastAPI, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from .classify import classify
from .contract import ClassifiedEmail, Email
from .internal_token import token_check

MAX_REPORTED_FAULTS = 20

logger = logging.getLogger("uvicorn.error")


def create_app(secret: str) -> FastAPI:
    """The service, which accepts tokens that are signed with the secret."""
    app = FastAPI(title="A classification service for Mailsweep")

    # Not a coroutine: FastAPI runs it in a thread, so that a slow model does not hold up other requests.
    @app.post("/v1/suggest", dependencies=[Depends(token_check(secret))])
    def suggest(emails: list[Email], x_request_id: Optional[str] = Header(None)) -> list[ClassifiedEmail]:
        now = datetime.now(timezone.utc)
        logger.info("Classifying %d emails for request %s", len(emails), x_request_id)
        return [ClassifiedEmail(id=email.id, suggestions=classify(email, now)) for email in emails]

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    # FastAPI would respond with 422, and the contract asks for 400.
    @app.exception_handler(RequestValidationError)
    def refuse(_request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            {"field": ".".join(map(str, fault["loc"])), "message": fault["msg"]}
            for fault in error.errors()[:MAX_REPORTED_FAULTS]
        ]
        return JSONResponse({"detail": faults}, status_code=400)

    return app
