import type {
  ActionBatch,
  ActionHistoryRecord,
  Email,
  EmailWithSuggestions,
  KeptEmail,
  Scan,
  Sender,
  Suggestion,
} from '@mailsweep/contracts';

/** An email for tests; the higher its number, the older it is. */
export const sampleEmail = (number: number, change: Partial<Email> = {}): Email => ({
  id: `email-${number}`,
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

/** An email with suggestions for tests. */
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
  emailId: `email-${number}`,
  action: 'archive',
  timestamp: '2026-01-31T09:30:00.000Z',
  details: {
    source: 'inbox',
    gmailResponse: { status: 'ok' },
    note: '',
    labelChange: { added: [], removed: ['INBOX'] },
  },
  undoneAt: null,
  batchId: null,
  ...change,
});

/** A batch of three archived emails for tests. */
export const sampleBatch = (change: Partial<ActionBatch> = {}): ActionBatch => ({
  id: '01900000-0000-7000-8000-000000000001',
  startedAt: '2026-01-31T09:30:00.000Z',
  source: 'inbox',
  action: 'archive',
  total: 3,
  undone: 0,
  undo: null,
  senders: { count: 0, top: [] },
  ...change,
});

/** A scan for tests, as it is before its first step. */
export const sampleScan = (change: Partial<Scan> = {}): Scan => ({
  id: '01900000-0000-7000-8000-000000000001',
  state: 'queued',
  scope: 'all',
  scanned: 0,
  total: 0,
  suggested: 0,
  unclassified: 0,
  unitsUsed: 0,
  etaSeconds: null,
  error: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  startedAt: null,
  updatedAt: '2026-01-31T09:30:00.000Z',
  finishedAt: null,
  ...change,
});

/** An email as the overview of senders keeps it. */
export const sampleKept = (number: number, change: Partial<KeptEmail> = {}): KeptEmail => ({
  ...sampleEmail(number),
  suggestions: [],
  ...change,
});

/** A sender for tests; its id ends in its number. */
export const sampleSender = (number: number, change: Partial<Sender> = {}): Sender => ({
  id: String(number).padStart(64, '0'),
  from: `Sender ${number} <sender${number}@x.example>`,
  mails: 3,
  inInbox: 2,
  unread: 1,
  bytes: 3_000,
  lastSeen: '2026-01-31T09:30:00.000Z',
  suggested: 0,
  ...change,
});
