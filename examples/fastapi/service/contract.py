"""The messages of the contract, as packages/contracts/json-schema/ml-request.json and ml-response.json describe them."""

import re
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field, StrictBool, StrictStr, validator

ISO_8601 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


class Email(BaseModel):
    """An email to classify. Fields that a later version of Mailsweep adds are ignored."""

    id: StrictStr
    sender: StrictStr = Field(alias="from")
    subject: StrictStr
    date: datetime
    is_read: StrictBool = Field(alias="isRead")
    category: Literal["promotions", "social", "updates", "forums", "primary"]
    attachment_size_mb: float = Field(alias="attachmentSizeMb", ge=0, allow_inf_nan=False)

    # Pydantic converts what looks like a date or a number, and the contract asks for 400.

    @validator("date", pre=True)
    def require_iso_8601(cls, value):
        if not isinstance(value, str) or not ISO_8601.fullmatch(value):
            raise ValueError("is not an ISO 8601 date with Z or an offset")
        return value

    @validator("attachment_size_mb", pre=True)
    def require_number(cls, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError("is not a number")
        return value


class Suggestion(BaseModel):
    action: str = Field(min_length=1, max_length=50)
    classification: str = Field(min_length=1, max_length=100)
    confidence_score: float = Field(ge=0, le=1)


class ClassifiedEmail(BaseModel):
    id: str
    suggestions: list[Suggestion]
