"""The check of the token that Mailsweep sends with each request."""

from typing import Callable, Optional

import jwt
from fastapi import Depends, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

CLOCK_TOLERANCE_S = 30

# Without auto_error=False, a missing token would get 403 from some versions of FastAPI.
bearer = HTTPBearer(auto_error=False)


def token_check(secret: str) -> Callable[..., None]:
    """A dependency that responds with 401 unless the token is signed with the secret and meant for this service."""

    def check(credentials: Optional[HTTPAuthorizationCredentials] = Depends(bearer)) -> None:
        try:
            jwt.decode(
                credentials.credentials if credentials else "",
                secret,
                algorithms=["HS256"],
                audience="ml",
                issuer="mailsweep-api",
                leeway=CLOCK_TOLERANCE_S,
                options={"require": ["exp"]},
            )
        except jwt.InvalidTokenError:
            raise HTTPException(401, "A valid internal token is needed.", {"WWW-Authenticate": "Bearer"})

    return check
