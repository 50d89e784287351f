import type { Suggestion } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listSuggestions, saveSuggestions } from './email-suggestion.repository.ts';

const [ADA, GRACE] = ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'];
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.5 };
const OLD: Suggestion = { action: 'delete', classification: 'promotions_old', confidence_score: 0.9 };

describe('the suggestions that a user was shown', () => {
  test('are kept by email, in their order, the latest in place of earlier ones', async () => {
    await save(ADA, { one: [BULK], two: [BULK] });
    await save(ADA, { one: [OLD, BULK], three: [] });

    expect(await list(ADA, ['one', 'two', 'three', 'unknown'])).toEqual({ one: [OLD, BULK], two: [BULK] });
    expect(await list(ADA, ['two'])).toEqual({ two: [BULK] });
  });

  test('are forgotten once nothing is suggested any more', async () => {
    await save(ADA, { one: [BULK], two: [BULK] });
    await save(ADA, { one: [] });

    expect(await list(ADA, ['one', 'two'])).toEqual({ two: [BULK] });
  });

  test('belong to one user, even for an email of the same id', async () => {
    await save(ADA, { one: [BULK] });
    await save(GRACE, { one: [OLD] });
    await save(GRACE, { one: [] });

    expect(await list(ADA, ['one'])).toEqual({ one: [BULK] });
  });

  test('can be saved many times at once, however much the requests disagree', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `email-${index}`);
    const saves = Array.from({ length: 40 }, (_, turn) =>
      save(ADA, Object.fromEntries(ids.map((id, index) => [id, (index + turn) % 2 === 0 ? [BULK] : []]))),
    );

    await Promise.all(saves);
    expect(Object.keys(await list(ADA, ids))).toHaveLength(25);
  });
});

const save = (userId: string, suggestions: Record<string, Suggestion[]>) =>
  testDatabase.database.$transaction((tx) =>
    saveSuggestions(
      tx,
      userId,
      Object.entries(suggestions).map(([id, list]) => ({ id, suggestions: list })),
      new Date(),
    ),
  );

const list = async (userId: string, emailIds: string[]) =>
  Object.fromEntries(await listSuggestions(testDatabase.database, userId, emailIds));

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(async () => {
  await testDatabase.query('TRUNCATE "EmailSuggestion"');
});
afterAll(() => testDatabase.drop());
