import { createSecretKey, randomBytes } from 'node:crypto';
import type { ActionHistoryRecord, Suggestion } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createMessageStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertActionHistory, markUndone } from '../../history/action-history.repository.ts';
import { createProtections } from '../../protections/protect-sender.ts';
import { saveSuggestions } from '../email-suggestion.repository.ts';
import { createListSuggestionGroups } from './suggestion-groups.repository.ts';
import { summarizeSuggestions } from './suggestion-summary.repository.ts';

const [ADA, GRACE] = [uuidv7(), uuidv7()];
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.5 };
const OLD: Suggestion = { action: 'delete', classification: 'promotions_old', confidence_score: 0.9 };
const TRIP: Suggestion = { action: 'label', classification: 'travel', confidence_score: 0.4 };
const DAY_MS = 24 * 3_600_000;

test('a suggestion counts once, however often it is shown', async () => {
  await cache({ one: ['INBOX'], two: ['INBOX'], three: ['INBOX'] });
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
  await cache({ one: ['INBOX'], two: ['INBOX'], three: ['INBOX'] });
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

test('what nobody has decided about is what the groups show', async () => {
  await cache({
    starred: ['INBOX', 'STARRED'],
    important: ['INBOX', 'IMPORTANT'],
    archived: [],
    trashed: ['TRASH'],
    one: ['INBOX'],
    two: ['INBOX'],
    three: ['INBOX'],
  });
  await suggest({
    starred: [OLD],
    important: [BULK, TRIP],
    archived: [BULK],
    trashed: [BULK],
    uncached: [BULK],
    one: [BULK],
    two: [OLD],
    three: [BULK],
  });
  await decide('three', 'accept', [BULK]);
  expect(await expectAgreement()).toMatchObject({
    suggested: 4,
    accepted: 1,
    actions: { archive: 2, delete: 1, label: 1 },
    classifications: { bulk: 2, promotions_old: 1, travel: 1 },
  });

  const [sender] = (await listGroups(ADA, { page: 1, perPage: 1, by: 'sender' })).data;
  const senderKey = createSecretKey(Buffer.alloc(32));
  await createProtections({ database: db.database, cipher, senderKey }).protect(ADA, sender?.key ?? '');
  expect(await expectAgreement()).toMatchObject({ suggested: 2, actions: { archive: 1, label: 1 } });
});

test('a period covers what was suggested or decided in it', async () => {
  await cache({ one: ['INBOX'], three: ['INBOX'] });
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

/** The summary of all time, which has as many undecided emails of each action as the groups. */
const expectAgreement = async () => {
  const summary = await summarizeSuggestions(db.database, ADA, undefined);
  const { emails } = await listGroups(ADA, { page: 1, perPage: 100, by: 'classification' });
  expect(summary.suggested - summary.accepted - summary.rejected).toBe(emails);
  return summary;
};

/** Caches emails of one sender with these labels. */
const cache = async (labels: Record<string, string[]>) => {
  const store = createMessageStores({
    database: db.database,
    cipher,
    senderKey: createSecretKey(randomBytes(32)),
  })(ADA);
  await store.begin(1n);
  await store.save(
    Object.entries(labels).map(([id, own]) => ({
      message: {
        id,
        historyId: 1n,
        labels: own,
        facts: {
          threadId: id,
          from: 'Shop <news@shop.example>',
          subject: '',
          snippet: '',
          receivedAt: new Date(),
          sizeBytes: 1,
          attachmentCount: 0,
          attachmentBytes: 0,
          isInvitation: false,
          isSenderUnclear: false,
          failsDmarc: false,
        },
      },
      completeUpTo: 1n,
    })),
  );
};

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

const cipher = createTokenCipher({ current: randomBytes(32) });
let db: TestDatabase;
let listGroups: ReturnType<typeof createListSuggestionGroups>;
beforeAll(async () => {
  db = await createTestDatabase();
  listGroups = createListSuggestionGroups({ database: db.database, cipher });
});
beforeEach(async () => {
  await db.empty();
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', '')`, [ADA]);
});
afterAll(() => db.drop());
