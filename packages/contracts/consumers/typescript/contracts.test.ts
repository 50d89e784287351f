import assert from 'node:assert/strict';
import test from 'node:test';
import {
  buildSuggestionsGenerated,
  type DomainEvent,
  EmailSchema,
  type MlRequest,
  MlRequestSchema,
  type MlResponse,
  MlResponseSchema,
  type Suggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import emails from '@mailsweep/contracts/fixtures/emails.json' with { type: 'json' };
import event from '@mailsweep/contracts/fixtures/event-suggestions-generated.json' with { type: 'json' };
import request from '@mailsweep/contracts/fixtures/ml-request.json' with { type: 'json' };
import response from '@mailsweep/contracts/fixtures/ml-response.json' with { type: 'json' };

/** A classifier whose types are those of the contract. */
const classify = (asked: MlRequest): MlResponse =>
  asked.map(({ id, category }) => ({
    id,
    suggestions:
      category === 'promotions'
        ? [{ action: 'archive', classification: 'promotions_old', confidence_score: 0.9 }]
        : [],
  }));

test('the types fit what the schemas take', () => {
  const suggested = classify(MlRequestSchema.parse(request));
  assert.deepEqual(MlResponseSchema.parse(suggested), suggested);
  // @ts-expect-error A confidence is a number.
  const wrong: Suggestion = { action: 'x', classification: 'y', confidence_score: '1' };
  assert.equal(SuggestionSchema.safeParse(wrong).success, false);
});

test('a builder makes the event of the fixture', () => {
  const suggestions = MlResponseSchema.parse(response);
  const built: DomainEvent = buildSuggestionsGenerated({
    userId: event.userId,
    emails: emails.map((email, index) => ({
      ...EmailSchema.parse(email),
      suggestions: suggestions[index]?.suggestions ?? [],
    })),
    generatedAt: new Date(event.generatedAt),
  });
  assert.deepEqual(built, event);
});
