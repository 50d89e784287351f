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
