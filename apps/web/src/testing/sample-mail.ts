import type { ActionHistoryRecord, Email, EmailWithSuggestions, Suggestion } from '@mailsweep/contracts';

/** A mail for tests; the higher its number, the older it is. */
export const sampleEmail = (number: number, change: Partial<Email> = {}): Email => ({
  id: `mail-${number}`,
  from: 'Garden & Home <news@garden.example>',
  subject: `Subject ${number}`,
  date: new Date(Date.UTC(2026, 0, 31) - number * 3_600_000).toISOString(),
  labels: ['INBOX'],
  isRead: true,
  attachmentSizeMb: 0,
  category: 'promotions',
  snippet: '',
  hasAttachment: false,
  size: 1_000,
  ...change,
});

/** A mail with suggestions for tests. */
export const sampleSuggested = (
  number: number,
  suggestions: Suggestion[],
  change: Partial<Email> = {},
): EmailWithSuggestions => {
  const { id, from, subject, date, isRead, category, attachmentSizeMb } = sampleEmail(number, change);
  return { id, from, subject, date, isRead, category, attachmentSizeMb, suggestions };
};

/** A history record for tests; its id ends in its number. */
export const sampleRecord = (
  number: number,
  change: Partial<ActionHistoryRecord> = {},
): ActionHistoryRecord => ({
  id: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  userId: 'ada',
  emailId: `mail-${number}`,
  action: 'archive',
  timestamp: '2026-01-31T09:30:00.000Z',
  details: {
    source: 'inbox',
    gmailResponse: { status: 'ok' },
    note: '',
    labelChange: { added: [], removed: ['INBOX'] },
  },
  undoneAt: null,
  ...change,
});
