import json
import unittest
from pathlib import Path

from jsonschema import Draft202012Validator

# Where `tar -xzf mailsweep-contracts-….tgz` puts it.
CONTRACTS = Path("package")


def read(path):
    return json.loads((CONTRACTS / path).read_text(encoding="utf-8"))


class ContractsTest(unittest.TestCase):
    def test_schemas_are_valid(self):
        schemas = list((CONTRACTS / "json-schema").glob("*.json"))
        self.assertGreater(len(schemas), 40)
        for schema in schemas:
            with self.subTest(schema.name):
                Draft202012Validator.check_schema(json.loads(schema.read_text(encoding="utf-8")))

    def test_schemas_take_their_fixtures(self):
        for name in ["ml-request", "ml-response", "webhook-body", "event-suggestions-generated", "scan-page"]:
            with self.subTest(name):
                Draft202012Validator(read(f"json-schema/{name}.json")).validate(read(f"fixtures/{name}.json"))

    def test_the_cases_of_a_service_are_what_the_schema_says(self):
        validator = Draft202012Validator(read("json-schema/ml-request.json"))
        cases = [case for case in read("fixtures/ml-service-cases.json") if case["token"] == "valid"]
        self.assertEqual({case["status"] for case in cases}, {200, 400})
        for case in cases:
            with self.subTest(case["name"]):
                self.assertEqual(validator.is_valid(case["body"]), case["status"] == 200)
