import type { ActionHistoryRecord, Suggestion } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertActionHistory, markUndone } from '../history/action-history.repository.ts';
import { saveSuggestions } from './email-suggestion.repository.ts';
import { summarizeSuggestions } from './suggestion-summary.repository.ts';

const [ADA, GRACE] = [uuidv7(), uuidv7()];
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.5 };
const OLD: Suggestion = { action: 'delete', classification: 'promotions_old', confidence_score: 0.9 };
const DAY_MS = 24 * 3_600_000;

test('a suggestion counts once, however often it is shown', async () => {
  for (let visit = 0; visit < 3; visit += 1) await suggest({ one: [BULK], two: [OLD, BULK], three: [BULK] });

  expect(await summarizeSuggestions(db.database, ADA, 'weekly')).toEqual({
    period: 'weekly',
    suggested: 3,
    accepted: 0,
    rejected: 0,
    actions: { archive: 2, delete: 1 },
    classifications: { bulk: 2, promotions_old: 1 },
  });
  expect(await summarizeSuggestions(db.database, GRACE, undefined)).toMatchObject({
    suggested: 0,
    actions: {},
  });
});

test('a decision counts until it is undone, the last one of an email alone', async () => {
  await suggest({ one: [BULK], two: [BULK], three: [OLD] });
  await decide('one', 'reject', [BULK], 2_000);
  await decide('one', 'accept', [BULK]);
  await decide('two', 'reject', [BULK]);
  const undone = await decide('three', 'accept', [OLD]);
  // Decided, and not stored any more.
  await decide('four', 'accept', [OLD]);
  await decide('five', 'accept', []);
  await db.database.$transaction((tx) => markUndone(tx, ADA, [undone], new Date()));

  expect(await summarizeSuggestions(db.database, ADA, undefined)).toEqual({
    period: null,
    suggested: 4,
    accepted: 3,
    rejected: 1,
    actions: { archive: 2, delete: 2 },
    classifications: { bulk: 2, promotions_old: 2 },
  });
});

test('a period covers what was suggested or decided in it', async () => {
  await suggest({ one: [BULK] }, 2 * DAY_MS);
  await decide('two', 'accept', [OLD], 8 * DAY_MS);
  await suggest({ three: [OLD] });

  expect(await summarizeSuggestions(db.database, ADA, 'daily')).toMatchObject({ suggested: 1, accepted: 0 });
  expect(await summarizeSuggestions(db.database, ADA, 'weekly')).toMatchObject({ suggested: 2, accepted: 0 });
  expect(await summarizeSuggestions(db.database, ADA, undefined)).toMatchObject({
    suggested: 3,
    accepted: 1,
  });
});

const suggest = (suggestions: Record<string, Suggestion[]>, agoMs = 0) =>
  saveSuggestions(
    db.database,
    ADA,
    Object.entries(suggestions).map(([id, list]) => ({ id, suggestions: list })),
    new Date(Date.now() - agoMs),
  );

/** @returns the record's id */
const decide = async (
  emailId: string,
  action: 'accept' | 'reject',
  suggestions: Suggestion[],
  agoMs = 0,
): Promise<string> => {
  const record: ActionHistoryRecord = {
    id: uuidv7(),
    userId: ADA,
    emailId,
    action,
    timestamp: new Date(Date.now() - agoMs).toISOString(),
    details: {
      source: 'suggestions',
      gmailResponse: { status: 'ok' },
      note: '',
      labelChange: { added: [], removed: [] },
      suggestions,
    },
    undoneAt: null,
    batchId: uuidv7(),
  };
  await db.database.$transaction((tx) => insertActionHistory(tx, [record]));
  return record.id;
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.empty());
afterAll(() => db.drop());
