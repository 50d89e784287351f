import assert from 'node:assert/strict';
import test from 'node:test';
import { buildSuggestionsConfirmed, DOMAIN_EVENTS, MlResponseSchema } from '@mailsweep/contracts';
import event from '@mailsweep/contracts/fixtures/event-suggestions-confirmed.json' with { type: 'json' };
import response from '@mailsweep/contracts/fixtures/ml-response.json' with { type: 'json' };
import schema from '@mailsweep/contracts/json-schema/ml-response.json' with { type: 'json' };

test('a schema takes its fixture, and names the fault of another', () => {
  assert.deepEqual(MlResponseSchema.parse(response), response);
  const { error } = MlResponseSchema.safeParse([{ id: 'a', suggestions: [{ action: '' }] }]);
  assert.deepEqual(error.issues[0].path, [0, 'suggestions', 0, 'action']);
});

test('a builder makes the event of the fixture', () => {
  const { userId, action, emailIds, generatedAt } = event;
  const built = buildSuggestionsConfirmed({ userId, action, emailIds, generatedAt: new Date(generatedAt) });
  assert.deepEqual(built, event);
  assert.equal(built.type, DOMAIN_EVENTS.SUGGESTION_CONFIRMED);
});

test('the JSON Schema has its own name', () => {
  assert.equal(schema.$id, 'urn:mailsweep:contracts:v1:ml-response');
});
