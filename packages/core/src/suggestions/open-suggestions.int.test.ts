import { randomUUID } from 'node:crypto';
import type { Email, Suggestion } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOpenSuggestions } from './suggest-actions.ts';

const email = (id: string, facts: Partial<Email> = {}): Email => ({
  id,
  from: 'News <news@shop.example>',
  subject: 'Weekly',
  date: '2026-01-01T00:00:00.000Z',
  labels: ['INBOX'],
  isRead: true,
  attachmentSizeMb: 0,
  category: 'promotions',
  snippet: '',
  hasAttachment: false,
  size: 1,
  ...facts,
});
const of = (classification: string, confidence_score: number): Suggestion => ({
  action: 'archive',
  classification,
  confidence_score,
});

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('nothing is suggested where the sender is unclear, and nothing of newsletters for a discussion', async () => {
  const emails = [
    email('letter'),
    email('discussion', { isDiscussion: true }),
    email('unclear', { isSenderUnclear: true }),
  ];
  const all = [of('bulk', 0.9), of('newsletter', 0.8), of('stale_unread', 0.7)];
  const mlClient = { suggest: async () => new Map(emails.map(({ id }) => [id, all])) };
  const { logger } = createRecordingLogger();
  const found = await findOpenSuggestions(
    { database: db.database, mlClient, logger },
    randomUUID(),
    emails,
    'r1',
  );
  expect(
    found?.map(({ id, suggestions }) => [id, suggestions.map(({ classification }) => classification)]),
  ).toEqual([
    ['letter', ['bulk', 'newsletter', 'stale_unread']],
    ['discussion', ['stale_unread']],
    ['unclear', []],
  ]);
});
