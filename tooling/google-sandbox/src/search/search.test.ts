import { describe, expect, it } from 'vitest';
import { mailboxOf, message, openMailbox, setAside, startSandbox } from '../testing/test-sandbox.ts';

const KB = 1024;
const MB = 1024 * KB;
const MESSAGES = [
  message('promo', {
    ageDays: 1,
    labels: ['INBOX', 'CATEGORY_PROMOTIONS', 'UNREAD'],
    bodySizeBytes: 90 * KB,
  }),
  message('social', { ageDays: 20, labels: ['INBOX', 'CATEGORY_SOCIAL'] }),
  message('personal', { ageDays: 40, labels: ['INBOX', 'CATEGORY_PERSONAL', 'UNREAD'] }),
  message('plain', { ageDays: 400, labels: ['INBOX'] }),
  message('heavy', {
    ageDays: 800,
    labels: ['CATEGORY_UPDATES'],
    attachments: [{ filename: 'film.mp4', mimeType: 'video/mp4', sizeBytes: 12 * MB, isInline: false }],
  }),
  message('junk', { ageDays: 3, labels: ['SPAM'] }),
];

describe('searching the sandbox', () => {
  it.each([
    ['older_than:30d', ['personal', 'plain', 'heavy']],
    ['older_than:1y', ['plain', 'heavy']],
    ['newer_than:1m', ['promo', 'social']],
    ['-newer_than:2m', ['plain', 'heavy']],
    ['larger:10M', ['heavy']],
    ['larger:80k', ['promo', 'heavy']],
    ['size:12582912', ['heavy']],
    ['smaller:10k', ['social', 'personal', 'plain']],
    ['-larger:10k', ['social', 'personal', 'plain']],
    ['category:promotions', ['promo']],
    ['category:primary', ['personal']],
    ['-category:promotions -category:social -category:updates -category:forums', ['personal', 'plain']],
    ['category:primary is:unread', ['personal']],
    ['-category:social older_than:7d', ['personal', 'plain', 'heavy']],
    ['-is:unread in:inbox', ['social', 'plain']],
    ['in:anywhere newer_than:7d', ['promo', 'junk']],
    ['in:spam', ['junk']],
    ['has:attachment', ['heavy']],
    ['filename:mp4', ['heavy']],
    ['filename:Film.mp4', ['heavy']],
    ['filename:film', ['heavy']],
    ['filename:mp', []],
    ['filename:mp4 in:inbox', []],
    ['-filename:mp4 older_than:1y', ['plain']],
    ['filename:{mp4 ics} OR category:social', ['social', 'heavy']],
    ['subject:"Subject of plain"', ['plain']],
    ['subject:"plain Subject"', []],
    ['"subject of HEAVY"', ['heavy']],
    ['before:2026/01/01 -in:inbox', ['heavy']],
    ['category:promotions OR category:social', ['promo', 'social']],
    ['{category:promotions has:attachment}', ['promo', 'heavy']],
    ['category:promotions OR category:social is:unread', ['promo']],
    ['(category:promotions OR category:social) older_than:7d', ['social']],
    ['subject:(Subject plain)', ['plain']],
    ['subject:{plain heavy}', ['plain', 'heavy']],
    ['-{category:promotions category:social} in:inbox', ['personal', 'plain']],
    ['-(category:social older_than:7d) in:inbox', ['promo', 'personal', 'plain']],
    ['in:inbox OR in:spam', ['promo', 'junk', 'social', 'personal', 'plain']],
    ['(in:anywhere) -in:spam -in:trash older_than:2d', ['social', 'personal', 'plain', 'heavy']],
    ['( ( is:unread ) AND category:promotions )', ['promo']],
  ])('understands %s', async (q, ids) => {
    const { url } = await startSandbox([mailboxOf(...MESSAGES)]);
    expect(await (await openMailbox(url)).search(q)).toEqual(ids);
  });

  it.each([
    'category:nonsense',
    'larger:lots',
    'filename:',
    'older_than:soon',
    'before:yesterday',
    '(is:unread',
    'is:unread)',
    '(is:unread}',
  ])('refuses %s rather than guess', async (q) => {
    const { url } = await startSandbox([mailboxOf(...MESSAGES)]);
    const response = await (await openMailbox(url)).call('GET', `/messages?q=${encodeURIComponent(q)}`);
    expect(response.status).toBe(400);
  });

  it('tells by search alone what is snoozed or scheduled', async () => {
    const { url } = await startSandbox([mailboxOf(...MESSAGES)]);
    const mailbox = await openMailbox(url);
    const before = await mailbox.get('/messages/social');
    await setAside(url, { social: 'snoozed', plain: 'scheduled', junk: 'snoozed' });
    const found = async (q: string) => [q, await mailbox.search(q)];
    for (const expected of [
      ['is:snoozed', ['social']],
      ['in:scheduled', ['plain']],
      ['{is:snoozed in:scheduled}', ['social', 'plain']],
      ['-is:snoozed -in:scheduled', ['promo', 'personal', 'heavy']],
      ['is:snoozed is:unread', []],
    ])
      expect(await found(String(expected[0]))).toEqual(expected);
    expect(await mailbox.get('/messages/social')).toEqual(before);
    await setAside(url, { social: null });
    expect(await mailbox.search('is:snoozed')).toEqual([]);
  });

  it('pages through what it sifted: no message twice, none left out, the true total on every page', async () => {
    const many = Array.from({ length: 25 }, (_, index) =>
      message(`m${index}`, { ageDays: index + 1, bodySizeBytes: index % 2 === 0 ? 50 * KB : KB }),
    );
    const { url } = await startSandbox([mailboxOf(...many)], { behaviour: { flatEstimate: false } });
    const mailbox = await openMailbox(url);
    const seen: string[] = [];
    const totals = new Set<number>();
    let pageToken = '';
    do {
      const page = await mailbox.get(
        `/messages?q=larger:10k&maxResults=5${pageToken && `&pageToken=${pageToken}`}`,
      );
      seen.push(...page.messages.map(({ id }: { id: string }) => id));
      totals.add(page.resultSizeEstimate);
      pageToken = page.nextPageToken ?? '';
    } while (pageToken);
    expect(seen).toEqual(many.filter((_, index) => index % 2 === 0).map(({ id }) => id));
    expect([...totals]).toEqual([13]);
  });

  it('finds files by name in mail that came later', async () => {
    const { url } = await startSandbox([mailboxOf(...MESSAGES)]);
    const mailbox = await openMailbox(url);
    const raw = [
      'From: a@b.example',
      'To: ada@example.com',
      'Subject: Lunch',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="part"',
      '',
      '--part',
      'Content-Type: text/plain',
      '',
      'Lunch?',
      '--part',
      'Content-Type: text/calendar; name="invite.ics"',
      'Content-Disposition: attachment; filename="invite.ics"',
      '',
      'BEGIN:VCALENDAR',
      '--part--',
      '',
    ].join('\r\n');
    const body = { raw: Buffer.from(raw).toString('base64url'), labelIds: ['INBOX'] };
    const created = (await (await mailbox.call('POST', '/messages', body)).json()) as { id: string };
    expect(await mailbox.search('filename:ics')).toEqual([created.id]);
  });

  it('sifts within the labels asked for, and weighs mail that came later', async () => {
    const { url } = await startSandbox([mailboxOf(...MESSAGES)]);
    const mailbox = await openMailbox(url);
    const raw = Buffer.from(
      `From: a@b.example\nTo: ada@example.com\nSubject: new\n\n${'x'.repeat(200 * KB)}`,
    );
    const body = { raw: raw.toString('base64url'), labelIds: ['INBOX'] };
    const created = (await (await mailbox.call('POST', '/messages', body)).json()) as { id: string };
    const list = await mailbox.get('/messages?labelIds=INBOX&q=larger:80k');
    expect(list.messages.map(({ id }: { id: string }) => id)).toEqual([created.id, 'promo']);
  });
});
