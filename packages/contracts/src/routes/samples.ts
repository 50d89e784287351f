import type { Email } from '../emails/email.ts';
import type { ActionHistoryRecord } from '../history/action-history.ts';
import type { Suggestion } from '../suggestions/suggestion.ts';

export const USER_ID = '0197a3c4-1111-7e8f-9a0b-1c2d3e4f5a6b';
export const RECORD_ID = '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';
export const BATCH_ID = '0197a3c4-3333-7e8f-9a0b-1c2d3e4f5a6b';
export const SESSION_ID = '0197a3c4-2222-7e8f-9a0b-1c2d3e4f5a6b';

export const NEWSLETTER: Email = {
  id: '18c2f0a1b2c3d4e5',
  from: 'Garden & Home <newsletter@gardenandhome.example>',
  subject: 'Spring sale: 30 % off everything',
  date: '2026-01-31T09:30:00.000Z',
  labels: ['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'],
  isRead: false,
  attachmentSizeMb: 0,
  category: 'promotions',
  snippet: 'Only until Sunday: everything for your garden.',
  hasAttachment: false,
  size: 48_213,
  threadId: '18c2f0a1b2c3d4e5',
};

export const INVOICE: Email = {
  id: '18c2f0a1b2c3d4e6',
  from: 'Billing <billing@cloud.example>',
  subject: 'Your invoice for January',
  date: '2026-01-30T17:05:00.000Z',
  labels: ['INBOX', 'CATEGORY_UPDATES'],
  isRead: true,
  attachmentSizeMb: 0.25,
  category: 'updates',
  snippet: 'Your invoice is attached.',
  hasAttachment: true,
  size: 281_004,
  threadId: '18c2f0a1b2c3d4e6',
};

export const ARCHIVE_NEWSLETTER: Suggestion = {
  action: 'archive',
  classification: 'bulk',
  confidence_score: 0.92,
};

export const ARCHIVED: ActionHistoryRecord = {
  id: RECORD_ID,
  userId: USER_ID,
  emailId: NEWSLETTER.id,
  action: 'accept',
  timestamp: '2026-02-01T08:00:00.000Z',
  details: {
    source: 'suggestions',
    gmailResponse: { status: 'ok' },
    note: 'Accepted: archive (bulk).',
    labelChange: { added: [], removed: ['INBOX'] },
    mailboxHistoryId: '884213',
    suggestions: [ARCHIVE_NEWSLETTER],
  },
  undoneAt: null,
  batchId: BATCH_ID,
};

/** A list that one page of the usual size holds. */
export const pageOf = <const Entry>(data: readonly Entry[]) => ({
  total: data.length,
  page: 1,
  perPage: 20,
  data,
});
