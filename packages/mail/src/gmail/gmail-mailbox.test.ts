import { refusal, type TestGmail, type TestMessage } from '@mailsweep/google-sandbox/testing/gmail';
import type { EmailQuery } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { MAX_LIST_ROUNDS } from './reading/lists/list-emails.ts';
import { inboxMessages, setUpMailbox } from './testing/test-mailbox.ts';

const query = (filters: Partial<EmailQuery> = {}): EmailQuery => ({
  scope: 'inbox',
  pageSize: 5,
  ...filters,
});
const idsOf = ({ emails }: { emails: { id: string }[] }): string[] => emails.map(({ id }) => id);
const withPdf = (bytes: number): Partial<TestMessage> => ({
  attachments: [{ filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: bytes, isInline: false }],
});

/** Lists messages whatever they are searched for by, as far as their labels fit. */
const ignoreSearch = (gmail: TestGmail) =>
  gmail.intercept((request) => {
    const query = new URLSearchParams(request.query);
    query.delete('q');
    return request.path.endsWith('/messages') ? gmail.respond({ ...request, query }) : undefined;
  });

describe('listing emails', () => {
  it('lists the inbox newest first, with the whole response on its only page', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: [...inboxMessages(3), { id: 'archived', labels: [] }],
    });
    gmail.intercept(({ path }) =>
      path.endsWith('/messages')
        ? { body: { messages: [{ id: 'm0' }, { id: 'm1' }, { id: 'm2' }], resultSizeEstimate: 201 } }
        : undefined,
    );
    const page = await mailbox.listEmails(query());
    expect(idsOf(page)).toEqual(['m0', 'm1', 'm2']);
    expect(page).toMatchObject({ nextPageToken: null, total: 3, totalIsExact: true });
  });

  it('reads an empty mailbox as an empty page', async () => {
    const { mailbox } = await setUpMailbox();
    expect(await mailbox.listEmails(query())).toEqual({
      emails: [],
      nextPageToken: null,
      total: 0,
      totalIsExact: true,
    });
  });

  it('asks with the access token, for the real MIME structure under a mask without body data', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1, withPdf(3_000_000)) });
    const page = await mailbox.listEmails(query());
    const [list, get] = gmail.requests;
    expect(list?.path).toBe('/gmail/v1/users/me/messages');
    expect(list?.query.get('maxResults')).toBe('5');
    expect(get?.path).toBe('/gmail/v1/users/me/messages/m0');
    expect(get?.query.get('format')).toBe('full');
    expect(get?.query.get('fields')).toMatch(/^id,threadId,.*payload\(mimeType,.*parts\(/);
    expect(gmail.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
    ]);
    expect(page.emails[0]).toMatchObject({ attachmentSizeMb: 2.861, hasAttachment: true });
  });

  it('keeps a path in the base address', async () => {
    const { gmail } = await setUpMailbox();
    const { mailbox } = await setUpMailbox({}, { baseUrl: `${gmail.url}/proxy/` });
    await mailbox.listEmails(query()).catch(() => undefined);
    expect(gmail.requests[0]?.path).toBe('/proxy/gmail/v1/users/me/messages');
  });

  it('leads through all mail page by page, skipping and repeating none', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(12) });
    const first = await mailbox.listEmails(query());
    const second = await mailbox.listEmails(query({ pageToken: first.nextPageToken ?? '' }));
    const third = await mailbox.listEmails(query({ pageToken: second.nextPageToken ?? '' }));
    expect([first, second, third].flatMap(idsOf)).toEqual(inboxMessages(12).map(({ id }) => id));
    expect(third.nextPageToken).toBeNull();
  });

  it('counts the emails of a page and of those before, and says when that is all', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(12) });
    const first = await mailbox.listEmails(query());
    const second = await mailbox.listEmails(query({ pageToken: first.nextPageToken ?? '' }));
    const third = await mailbox.listEmails(query({ pageToken: second.nextPageToken ?? '' }));
    expect([first, second, third].map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual([
      [5, false],
      [10, false],
      [12, true],
    ]);
  });

  it('fills a page from further provider pages, asking only for what is still missing', async () => {
    const messages = inboxMessages(9).map((message, index) =>
      index % 2 === 0 ? { ...message, ...withPdf(2_000_000) } : message,
    );
    const { mailbox, gmail } = await setUpMailbox({ messages });
    ignoreSearch(gmail);
    const first = await mailbox.listEmails(query({ largerThanMb: 1, pageSize: 4 }));
    expect(idsOf(first)).toEqual(['m0', 'm2', 'm4', 'm6']);
    const lists = gmail.requests.filter(({ path }) => path.endsWith('/messages'));
    expect(lists.map((list) => list.query.get('maxResults'))).toEqual(['4', '2', '1']);
    const second = await mailbox.listEmails(
      query({ largerThanMb: 1, pageSize: 4, pageToken: first.nextPageToken ?? '' }),
    );
    expect(idsOf(second)).toEqual(['m8']);
  });

  it('gives up filling a page after a fixed number of rounds and says where to go on', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: inboxMessages(100),
      behaviour: { opaquePageTokens: false },
    });
    ignoreSearch(gmail);
    const page = await mailbox.listEmails(query({ unread: false, largerThanMb: 1, pageSize: 2 }));
    expect(page).toEqual({
      emails: [],
      nextPageToken: `0.${2 * MAX_LIST_ROUNDS}`,
      total: 0,
      totalIsExact: false,
    });
    expect(gmail.requests.filter(({ path }) => path.endsWith('/messages'))).toHaveLength(MAX_LIST_ROUNDS);
  });

  it('lists an email once when new mail pushes it on to the next provider page', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(3) });
    const responses = [
      { messages: [{ id: 'm0' }, { id: 'm1' }], nextPageToken: 'p2' },
      { messages: [{ id: 'm1' }, { id: 'm2' }] },
    ];
    gmail.intercept(({ path }) => (path.endsWith('/messages') ? { body: responses.shift() } : undefined));
    expect(idsOf(await mailbox.listEmails(query()))).toEqual(['m0', 'm1', 'm2']);
  });

  it('leaves out a message that vanished since it was listed', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(3) });
    gmail.intercept(({ path }) => (path.endsWith('/m1') ? refusal(404, 'notFound') : undefined));
    const page = await mailbox.listEmails(query());
    expect(idsOf(page)).toEqual(['m0', 'm2']);
    expect(page.total).toBe(2);
  });

  it('has a bounded number of requests in flight, over all its calls together', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(40) }, { concurrentCalls: 5 });
    const gate = Promise.withResolvers<undefined>();
    let peak = 0;
    gmail.intercept(({ path }) => {
      peak = Math.max(peak, gmail.inFlight());
      return path.endsWith('/messages') ? undefined : gate.promise;
    });
    const listing = mailbox.listEmails(query({ pageSize: 40 }));
    const others = mailbox.listEmails(query({ pageSize: 3 }));
    await expect.poll(() => gmail.inFlight()).toBe(4);
    gate.resolve(undefined);
    expect((await listing).emails).toHaveLength(40);
    expect((await others).emails).toHaveLength(3);
    expect(peak).toBe(4);
  });

  it('stops asking once one message makes the page impossible', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(50) }, { concurrentCalls: 2 });
    gmail.intercept(({ path }) => (path.endsWith('/m1') ? refusal(403, 'forbidden') : undefined));
    await expect(mailbox.listEmails(query({ pageSize: 50 }))).rejects.toMatchObject({ code: 'forbidden' });
    // Requests are sent in turn, so whatever the list had left is done before this one.
    await mailbox.findOrCreateLabels(['Last'], { perCall: 1, inTotal: 1, prefix: '' });
    expect(gmail.requests.length).toBeLessThan(10);
  });
});

const INSTANT_MS = Date.UTC(2026, 0, 1) + 5_500;

describe('filters, checked on what the mailbox really holds', () => {
  const labelled = (id: string, ...labels: string[]): TestMessage => ({
    id,
    labels,
  });
  /** A provider that lists every message, whatever it is asked for. */
  const setUpCarelessGmail = async (messages: TestMessage[]) => {
    const { mailbox, gmail } = await setUpMailbox({ messages });
    gmail.intercept(({ path }) =>
      path.endsWith('/messages') ? { body: { messages: messages.map(({ id }) => ({ id })) } } : undefined,
    );
    return { mailbox, gmail };
  };

  it('lists nothing that left the inbox, nor spam or trash', async () => {
    const messages = [
      labelled('in', 'INBOX'),
      labelled('archived'),
      labelled('spam', 'INBOX', 'SPAM'),
      labelled('trash', 'TRASH'),
    ];
    const { mailbox } = await setUpCarelessGmail(messages);
    expect(idsOf(await mailbox.listEmails(query()))).toEqual(['in']);
    expect(idsOf(await mailbox.listEmails(query({ scope: 'all' })))).toEqual(['in', 'archived']);
  });

  it('lists no drafts and no chats, in the inbox or elsewhere, nor finds them by id', async () => {
    const { mailbox } = await setUpCarelessGmail([
      labelled('mail', 'INBOX'),
      labelled('draft', 'DRAFT'),
      labelled('reply', 'INBOX', 'DRAFT'),
      labelled('chat', 'CHAT'),
    ]);
    expect(await mailbox.listEmails(query())).toMatchObject({ emails: [{ id: 'mail' }], total: 1 });
    const all = await mailbox.listEmails(query({ scope: 'all' }));
    expect(all).toMatchObject({ emails: [{ id: 'mail' }], total: 1 });
    expect((await mailbox.findEmails(['draft', 'mail', 'chat'])).map(({ id }) => id)).toEqual(['mail']);
  });

  it('lists only unread emails when asked to', async () => {
    const { mailbox } = await setUpCarelessGmail([
      labelled('new', 'INBOX', 'UNREAD'),
      labelled('old', 'INBOX'),
    ]);
    expect(idsOf(await mailbox.listEmails(query({ unread: true })))).toEqual(['new']);
    expect(idsOf(await mailbox.listEmails(query({ unread: false })))).toEqual(['new', 'old']);
  });

  it('counts mail without a category label as primary', async () => {
    const { mailbox, gmail } = await setUpCarelessGmail([
      labelled('plain', 'INBOX'),
      labelled('personal', 'INBOX', 'CATEGORY_PERSONAL'),
      labelled('promo', 'INBOX', 'CATEGORY_PROMOTIONS'),
    ]);
    expect(idsOf(await mailbox.listEmails(query({ category: 'primary' })))).toEqual(['plain', 'personal']);
    expect(gmail.requests[0]?.query.get('q')).toBe(
      '-category:promotions -category:social -category:updates -category:forums',
    );
    expect(idsOf(await mailbox.listEmails(query({ category: 'promotions' })))).toEqual(['promo']);
  });

  it('lists only emails received before the instant, to the millisecond', async () => {
    const { mailbox, gmail } = await setUpCarelessGmail([
      { ...labelled('at', 'INBOX'), receivedAtMs: INSTANT_MS },
      { ...labelled('before', 'INBOX'), receivedAtMs: INSTANT_MS - 1 },
    ]);
    expect(idsOf(await mailbox.listEmails(query({ receivedBefore: new Date(INSTANT_MS) })))).toEqual([
      'before',
    ]);
    expect(gmail.requests[0]?.query.get('q')).toBe(`before:${Math.ceil(INSTANT_MS / 1_000)}`);
  });

  it('lists only emails whose attachments are larger than N MB, counted before rounding', async () => {
    const { mailbox, gmail } = await setUpCarelessGmail([
      { ...labelled('exact', 'INBOX'), ...withPdf(1_048_576) },
      { ...labelled('above', 'INBOX'), ...withPdf(1_048_577) },
      { ...labelled('long text', 'INBOX'), bodySizeBytes: 9_000_000 },
    ]);
    expect(idsOf(await mailbox.listEmails(query({ largerThanMb: 1 })))).toEqual(['above']);
    expect(gmail.requests[0]?.query.get('q')).toBe('larger:1048576');
    expect(idsOf(await mailbox.listEmails(query({ largerThanMb: 0 })))).toEqual(['exact', 'above']);
  });
});

describe('finding emails by id', () => {
  it('gives them in the order asked for, without those that are gone', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(3) });
    const emails = await mailbox.findEmails(['m2', 'gone', 'm0']);
    expect(emails.map(({ id }) => id)).toEqual(['m2', 'm0']);
  });
});
