import json
import time

import jsonschema
import jwt
import pytest
from fastapi.testclient import TestClient

from service.app import create_app

from . import contracts

SECRET = "a secret that two services share, at least 32 bytes"
CASES = contracts.read("fixtures/ml-service-cases.json")
RESPONSE = contracts.read("json-schema/ml-response.json")

client = TestClient(create_app(SECRET))


def headers_with(token):
    """The headers for a kind of token of the fixtures."""
    now = int(time.time())
    claims = {"iss": "mailsweep-api", "aud": "ml", "sub": "user-1", "iat": now, "exp": now + 60}
    secret, algorithm = SECRET, "HS256"
    if token == "missing":
        return {}
    if token == "wrong_secret":
        secret = SECRET.upper()
    elif token == "wrong_audience":
        claims["aud"] = "web"
    elif token == "wrong_issuer":
        claims["iss"] = "somebody"
    elif token == "expired":
        claims |= {"iat": now - 3660, "exp": now - 3600}
    elif token == "no_expiry":
        del claims["exp"]
    elif token == "unsigned":
        secret, algorithm = None, "none"
    elif token == "wrong_algorithm":
        algorithm = "HS512"
    else:
        assert token == "valid"
    return {"Authorization": f"Bearer {jwt.encode(claims, secret, algorithm)}"}


def suggest(body, token="valid"):
    return client.post("/v1/suggest", json=body, headers=headers_with(token))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case_of_the_contract(case):
    response = suggest(case["body"], case["token"])
    assert response.status_code == case["status"]
    if case["status"] == 200:
        jsonschema.validate(response.json(), RESPONSE)
        assert [item["id"] for item in response.json()] == [email["id"] for email in case["body"]]


EMAIL = contracts.read("fixtures/ml-request.json")[0]
SCHEMA = contracts.read("json-schema/ml-request.json")
VALUES = [None, 0, 1.5, -1, True, "", "1", "primary", "2026-01-31T09:30:00.000Z", "2026-02-30T09:30:00Z", [], {}]


@pytest.mark.parametrize("field", SCHEMA["$defs"]["MlRequestItem"]["properties"])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_takes_what_the_schema_takes(field, value):
    body = [{**EMAIL, field: value}]
    is_valid = jsonschema.Draft202012Validator(SCHEMA).is_valid(body)
    response = suggest(body)
    assert response.status_code == (200 if is_valid else 400)
    if not is_valid:
        assert response.json()["detail"][0]["field"] == f"body.0.{field}"


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_refuses_numbers_that_json_does_not_have(number):
    body = json.dumps([{**EMAIL, "attachmentSizeMb": number}])
    headers = {**headers_with("valid"), "Content-Type": "application/json"}
    assert client.post("/v1/suggest", content=body, headers=headers).status_code == 400


def test_tells_that_it_is_healthy():
    assert client.get("/health").json() == {"status": "ok"}
