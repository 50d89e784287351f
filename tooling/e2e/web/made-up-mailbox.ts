import type { Page } from 'playwright-core';

const CATEGORIES = ['primary', 'promotions', 'social', 'updates', 'forums'];
const SENDERS = 240;
const SUBJECTS = [
  'Your receipt',
  'Plans for the weekend',
  'Weekly news',
  'Re: the draft',
  '会議の件',
  'תזכורת',
];
const HOUR_MS = 3_600_000;
const DEFAULT_PAGE_SIZE = 25;

/** One of many emails, the same for the same number. */
const toEmail = (index: number, newest: number) => ({
  id: `made-up-${index}`,
  from: `Sender ${index % SENDERS} <sender-${index % SENDERS}@example.com>`,
  subject: `${SUBJECTS[index % SUBJECTS.length]} ${index}`,
  date: new Date(newest - index * HOUR_MS).toISOString(),
  labels: ['INBOX'],
  isRead: index % 3 !== 0,
  attachmentSizeMb: index % 7 === 0 ? (index % 50) / 2 : 0,
  category: CATEGORIES[index % CATEGORIES.length],
  snippet:
    'A line or two of what the email says, as long as lines of email are, so that it has to be cut off.',
  hasAttachment: index % 7 === 0,
  size: 10_000 + index,
});

/** Lets the page see a mailbox of so many emails, page by page as the API gives them. */
export const showMadeUpMailbox = async (page: Page, mails: number): Promise<void> => {
  const newest = Date.now();
  await page.route('**/api/v1/emails?**', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const begin = Number(query.get('pageToken') ?? 0);
    const end = Math.min(mails, begin + Number(query.get('pageSize') ?? DEFAULT_PAGE_SIZE));
    await route.fulfill({
      headers: {
        'access-control-allow-origin': new URL(page.url()).origin,
        'access-control-allow-credentials': 'true',
      },
      json: {
        emails: Array.from({ length: end - begin }, (_nothing, offset) => toEmail(begin + offset, newest)),
        nextPageToken: end < mails ? String(end) : null,
        total: mails,
      },
    });
  });
};

/** Emails of each group of made-up suggestions but the first, which has all the others. */
const EMAILS_OF_GROUP = 4;
const DEFAULT_PER_PAGE = 20;

const toSuggestion = (index: number, newest: number) => ({
  ...toEmail(index, newest),
  suggestions: [{ action: 'archive', classification: 'bulk', confidence_score: 0.95 }],
  protection: null,
});

const toGroup = (index: number, emails: number) => ({
  key: index.toString(16).padStart(64, '0'),
  by: 'sender',
  from: `Sender ${index} <sender-${index}@example.com>`,
  classification: null,
  emails,
  actions: { archive: emails },
  classifications: { bulk: emails },
  labels: [],
  leastConfidence: 0.95,
  mostConfidence: 0.95,
  leastAcceptance: 0.95,
  mostAcceptance: 0.95,
  sizeBytes: emails * 10_000,
  protected: false,
  newest: new Date(0).toISOString(),
  newestFrom: 'Made up <made-up@example.com>',
});

/** Lets the page see so many suggestions, half of them in one group and the others in small ones, page by page. */
export const showMadeUpSuggestions = async (
  page: Page,
  emails: number,
): Promise<{ groups: number; inFirst: number }> => {
  const newest = Date.now();
  const inFirst = emails / 5;
  const groups = 1 + (emails - inFirst) / EMAILS_OF_GROUP;
  const respond = async (pattern: string, total: number, toItem: (index: number) => unknown, more: object) =>
    page.route(pattern, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const number = Number(query.get('page') ?? 1);
      const perPage = Number(query.get('perPage') ?? DEFAULT_PER_PAGE);
      const begin = (number - 1) * perPage;
      const data = Array.from({ length: Math.max(0, Math.min(perPage, total - begin)) }, (_nothing, offset) =>
        toItem(begin + offset),
      );
      await route.fulfill({
        headers: {
          'access-control-allow-origin': new URL(page.url()).origin,
          'access-control-allow-credentials': 'true',
        },
        json: { total, page: number, perPage, data, ...more },
      });
    });
  await respond('**/api/v1/suggestions/stored?**', inFirst, (index) => toSuggestion(index, newest), {});
  await respond(
    '**/api/v1/suggestions/groups?**',
    groups,
    (index) => toGroup(index, index === 0 ? inFirst : EMAILS_OF_GROUP),
    {
      emails,
      actions: { archive: emails },
      confidence: { sure: emails, likely: 0, check: 0 },
      actionsByDegree: { sure: { archive: emails }, likely: {}, check: {} },
      complete: true,
      scannedAt: new Date(newest).toISOString(),
    },
  );
  return { groups, inFirst };
};
