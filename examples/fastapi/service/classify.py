"""Put your model here: everything else in this service is the contract."""

from datetime import datetime

from .contract import Email, Suggestion

OLD_PROMOTION_DAYS = 30
STALE_DAYS = 90
LARGE_ATTACHMENT_MB = 10


def classify(email: Email, now: datetime) -> list[Suggestion]:
    """Suggestions for one email, from nothing but this email: the same email gets the same suggestions."""
    age_days = (now - email.date).days
    suggestions = []
    if email.category == "promotions" and age_days >= OLD_PROMOTION_DAYS:
        suggestions.append(suggest("archive", "promotions_old", 0.9))
    elif email.category != "primary" and not email.is_read and age_days >= STALE_DAYS:
        suggestions.append(suggest("archive", "stale_unread", 0.7))
    if email.attachment_size_mb >= LARGE_ATTACHMENT_MB:
        suggestions.append(suggest("label", "large_attachment", 0.8))
    return suggestions


def suggest(action: str, classification: str, confidence: float) -> Suggestion:
    return Suggestion(action=action, classification=classification, confidence_score=confidence)
