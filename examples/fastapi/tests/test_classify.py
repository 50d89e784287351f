from datetime import datetime, timedelta, timezone

import pytest

from service.classify import classify
from service.contract import Email

NOW = datetime(2026, 6, 2, 12, tzinfo=timezone.utc)


def suggestions_for(age_days=0, category="primary", is_read=False, size=0):
    fields = {
        "id": "1",
        "from": "Garden & Home <newsletter@gardenandhome.example>",
        "subject": "Spring sale",
        "date": (NOW - timedelta(days=age_days)).isoformat(),
        "isRead": is_read,
        "category": category,
        "attachmentSizeMb": size,
    }
    found = classify(Email(**fields), NOW)
    return [(suggestion.action, suggestion.classification) for suggestion in found]


@pytest.mark.parametrize(
    ("email", "expected"),
    [
        ({"category": "promotions", "age_days": 29}, []),
        ({"category": "promotions", "age_days": 30}, [("archive", "promotions_old")]),
        ({"category": "updates", "age_days": 89}, []),
        ({"category": "updates", "age_days": 90}, [("archive", "stale_unread")]),
        ({"category": "updates", "age_days": 90, "is_read": True}, []),
        ({"category": "primary", "age_days": 400}, []),
        ({"size": 9.9}, []),
        ({"size": 10}, [("label", "large_attachment")]),
        (
            {"category": "promotions", "age_days": 30, "size": 24.6},
            [("archive", "promotions_old"), ("label", "large_attachment")],
        ),
    ],
)
def test_suggestions(email, expected):
    assert suggestions_for(**email) == expected
