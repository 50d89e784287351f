import {
  type ActionBatch,
  type ActionHistoryRecord,
  type CleanupPlan,
  type Email,
  hasWords,
  type KeptEmail,
  type Rule,
  type Scan,
  type Sender,
  type SuggestionGroup,
  toWords,
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
  batchId: '01900000-0000-7000-8000-000000000001',
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
  unchanged: 0,
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
  protection: null,
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
  lastRead: '2026-01-12T09:30:00.000Z',
  suggested: 0,
  protected: false,
  unsubscribe: null,
  ...change,
});

/** The plan of a cleanup of three emails for tests. */
export const sampleCleanup = (change: Partial<CleanupPlan> = {}): CleanupPlan => ({
  id: '01900000-0000-7000-8000-000000000001',
  batchId: '01900000-0000-7000-8000-000000000002',
  ruleId: null,
  askedBy: null,
  state: 'planned',
  action: 'archive',
  label: null,
  selection: { type: 'filter', scope: 'inbox', except: [] },
  total: 3,
  isComplete: true,
  sizeBytes: 3_000,
  sizeKnown: 3,
  excluded: {},
  plannedActions: { archive: 3 },
  changedActions: {},
  changedBytes: 0,
  quotaUnits: 100,
  durationSeconds: 1,
  processed: 0,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  undone: 0,
  error: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  expiresAt: '2026-01-31T10:30:00.000Z',
  startedAt: null,
  updatedAt: '2026-01-31T09:30:00.000Z',
  finishedAt: null,
  sample: [],
  ...change,
});

/** A group of three suggestions for tests. */
export const sampleSuggestionGroup = (change: Partial<SuggestionGroup> = {}): SuggestionGroup => ({
  key: 'a'.repeat(64),
  by: 'sender',
  from: 'Garden & Home <news@garden.example>',
  classification: null,
  protected: false,
  emails: 3,
  actions: { archive: 3 },
  classifications: { bulk: 3 },
  labels: [],
  leastConfidence: 0.9,
  mostConfidence: 0.95,
  leastAcceptance: 0.95,
  mostAcceptance: 0.95,
  sizeBytes: 3_000,
  newest: '2026-01-31T09:30:00.000Z',
  newestFrom: 'Garden & Home <news@garden.example>',
  ...change,
});

/** A rule for tests that has not run yet. */
export const sampleRule = (change: Partial<Rule> = {}): Rule => ({
  id: '01900000-0000-7000-8000-000000000001',
  condition: { type: 'sender', sender: 'a'.repeat(64), from: 'Garden & Home <news@garden.example>' },
  olderThan: 7,
  action: 'archive',
  label: null,
  enabled: true,
  keepNewest: null,
  pausedReason: null,
  pausedAt: null,
  nextRunAt: '2026-01-31T09:30:00.000Z',
  checkedAt: null,
  lastRun: null,
  counts: { since: '2026-01-31T09:30:00.000Z', runs: 0, actions: 0, undone: 0 },
  undoing: 0,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
  ...change,
});

/** Senders that match a search, as in the API; null without a search. */
export const findSenders = (senders: readonly Sender[], search: string | null): Sender[] => {
  const words = toWords(search ?? '');
  return senders.filter(({ from }) => hasWords(from, words));
};
