import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const MEGABYTE = 1_048_576;

describe('GET /api/v1/emails', () => {
  test('lists the inbox, newest first, with exactly the fields of an email', async () => {
    const response = await ada.get('/api/v1/emails').expect(200);

    expect(Object.keys(response.body).toSorted()).toEqual([
      'emails',
      'nextPageToken',
      'total',
      'totalIsExact',
    ]);
    expect(response.body.nextPageToken).toBeNull();
    expect(response.body).toMatchObject({ total: 5, totalIsExact: true });
    expect(toIds(response)).toEqual(['new', 'read', 'update', 'exact', 'old']);
    expect(response.body.emails[0]).toEqual({
      id: 'new',
      from: 'News <news@shop.example>',
      subject: 'Sale 🎉',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      labels: expect.arrayContaining(['INBOX', 'UNREAD']),
      isRead: false,
      attachmentSizeMb: 0,
      category: 'promotions',
      snippet: expect.any(String),
      hasAttachment: false,
      size: expect.any(Number),
      threadId: 'thread-new',
    });
  });

  test('asks the classification service nothing, and writes nothing', async () => {
    await ada.get('/api/v1/emails').expect(200);

    expect(api.ml.calls).toEqual([]);
    expect(await api.listEvents()).toEqual([]);
    expect(await api.testDatabase.query('SELECT FROM "ActionHistory"')).toEqual([]);
  });

  test('unread=true leaves read emails out, and unread=false leaves none out', async () => {
    expect(toIds(await list('?unread=true'))).toEqual(['new', 'old']);
    expect(toIds(await list('?unread=false'))).toEqual(['new', 'read', 'update', 'exact', 'old']);
  });

  test('search finds emails by the words of Gmail, together with the other filters', async () => {
    expect(toIds(await list('?search=subject:Sale'))).toEqual(['new']);
    expect(toIds(await list('?search=subject:Sale&scope=all&unread=true'))).toEqual(['new']);
    expect(toIds(await list('?search=subject:Sale&category=social'))).toEqual([]);
    expect((await list('?search=subject:Sale')).body).toMatchObject({ total: 1, totalIsExact: true });
  });

  test('olderThan counts in days, exactly', async () => {
    expect(toIds(await list('?olderThan=30'))).toEqual(['old']);
    expect(toIds(await list('?olderThan=90'))).toEqual(['old']);
    expect(toIds(await list('?olderThan=91'))).toEqual([]);
    expect(toIds(await list('?olderThan=0'))).toHaveLength(5);
  });

  test.each([
    ['promotions', ['new']],
    ['social', ['read']],
    ['updates', ['update']],
    ['forums', []],
    ['primary', ['exact', 'old']],
  ])(
    'category=%s lists exactly that category, email without any counting as primary',
    async (category, ids) => {
      expect(toIds(await list(`?category=${category}`))).toEqual(ids);
    },
  );

  test('minAttachmentSize lists only emails whose attachments are larger than so many MB, not just as large', async () => {
    expect(toIds(await list('?minAttachmentSize=0'))).toEqual(['update', 'exact']);
    expect(toIds(await list('?minAttachmentSize=1'))).toEqual(['update']);
    expect(toIds(await list('?minAttachmentSize=2'))).toEqual([]);

    const { emails } = (await list('?minAttachmentSize=1')).body;
    expect(emails[0]).toMatchObject({ hasAttachment: true, attachmentSizeMb: expect.closeTo(1.5, 2) });
  });

  test('filters narrow each other down', async () => {
    expect(toIds(await list('?unread=true&olderThan=30&category=primary'))).toEqual(['old']);
    expect(toIds(await list('?unread=true&category=social'))).toEqual([]);
  });

  test('leads from page to page, to the last one, whose token is null', async () => {
    const first = await list('?pageSize=2');
    const second = await list(`?pageSize=2&pageToken=${first.body.nextPageToken}`);
    const third = await list(`?pageSize=2&pageToken=${second.body.nextPageToken}`);

    expect([first, second, third].map(toIds)).toEqual([['new', 'read'], ['update', 'exact'], ['old']]);
    expect(third.body.nextPageToken).toBeNull();
    expect([first, second, third].map(({ body }) => body.total)).toEqual([5, 5, 5]);
    expect([first, second, third].map(({ body }) => body.totalIsExact)).toEqual([true, true, true]);
  });

  test('takes the token of a page with another size of pages, but with no other filters', async () => {
    const { nextPageToken } = (await list('?pageSize=2')).body;
    const next = (query: string) =>
      ada.get(`/api/v1/${query}&pageToken=${encodeURIComponent(nextPageToken)}`);
    expect(toIds(await next('emails?pageSize=3'))).toEqual(['update', 'exact', 'old']);
    for (const other of [
      'emails?unread=true',
      'emails?olderThan=0',
      'emails?scope=all',
      'suggestions?scope=all',
    ]) {
      const refused = await next(`${other}&pageSize=2`).expect(400);
      expect(refused.body).toMatchObject({ errors: [{ path: 'pageToken' }] });
    }
  });

  test('scope=all adds the email outside the inbox, but neither spam nor trash', async () => {
    expect(toIds(await list('?scope=all'))).toEqual(['new', 'read', 'archived', 'update', 'exact', 'old']);
  });

  test('is never cached', async () => {
    expect((await list('')).headers['cache-control']).toBe('no-store');
  });

  test('an empty mailbox is an empty list', async () => {
    const grace = await api.signIn('grace@example.com');
    expect((await grace.get('/api/v1/emails').expect(200)).body).toEqual({
      emails: [],
      nextPageToken: null,
      total: 0,
      totalIsExact: true,
    });
  });

  test('a search counts what it has listed, and says when that is all', async () => {
    const first = await list('?olderThan=0&pageSize=3');
    const second = await list(`?olderThan=0&pageSize=3&pageToken=${first.body.nextPageToken}`);

    expect(first.body).toMatchObject({ total: 3, totalIsExact: false });
    expect(second.body).toMatchObject({ total: 5, totalIsExact: true });
  });
});

describe('R21: while Gmail misbehaves', () => {
  test('a transient error goes unnoticed', async () => {
    await forgetMessages();
    api.google.fail({ path: /\/messages\/read/, times: 1, status: 503 });
    expect(toIds(await list(''))).toHaveLength(5);
    expect(api.google.countCalls(/\/messages\/read/)).toBe(2);

    api.google.heal();
    api.google.fail({ path: /\/history/, times: 1, status: 503 });
    expect(toIds(await list(''))).toHaveLength(5);
    expect(api.google.countCalls(/\/history/)).toBe(2);
  });

  test('an error with a Retry-After beyond the deadline gets 503, with the time to wait', async () => {
    api.google.fail({ path: /\/messages\?/, times: 1, status: 503, headers: { 'retry-after': '3600' } });
    const down = await ada.get('/api/v1/emails').expect(503);
    expect(down.body.code).toBe('mailbox_unavailable');
    expect(down.headers['retry-after']).toBe('3600');
  });

  test('being asked to slow down holds for the user, who hears how long, and for no other user', async () => {
    const grace = await api.signIn('grace@example.com');
    api.google.fail({ path: /\/messages\?/, times: 1, status: 429, headers: { 'retry-after': '3600' } });
    const limited = await grace.get('/api/v1/emails').expect(503);
    expect(limited.body.code).toBe('rate_limited');
    expect(limited.headers['retry-after']).toBe('3600');

    api.google.heal();
    const again = await grace.get('/api/v1/emails').expect(503);
    expect(again.body.code).toBe('rate_limited');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(api.google.countCalls(/\/messages/)).toBe(0);
    await ada.get('/api/v1/emails').expect(200);
  });

  test('a missing permission gets 403 at once', async () => {
    api.google.fail({ path: /\/messages\?/, times: 9, status: 403 });
    const response = await ada.get('/api/v1/emails').expect(403);

    expect(response.body.code).toBe('forbidden');
    expect(api.google.countCalls(/\/messages\?/)).toBe(1);
  });

  test.each([
    [403, 'accessNotConfigured', '', 503, 'gmail_api_disabled'],
    [403, 'dailyLimitExceeded', '', 503, 'daily_limit_exceeded'],
    [403, 'domainPolicy', '', 403, 'domain_policy'],
    [403, 'insufficientPermissions', '', 401, 'missing_scope'],
    [400, 'failedPrecondition', 'Mail service not enabled', 403, 'mail_service_disabled'],
  ])(
    'Gmail’s %i %s %s has a code of its own, and is logged',
    async (status, reason, message, ...answered) => {
      const body = {
        error: { code: status, message: `${message} of ada@example.com`, errors: [{ reason }] },
      };
      api.google.fail({ path: /\/messages\?/, times: 9, status, body });
      api.logLines.length = 0;
      const response = await ada.get('/api/v1/emails');

      expect([response.status, response.body.code]).toEqual(answered);
      expect(response.headers['retry-after'] !== undefined).toBe(response.status === 503);
      expect(api.google.countCalls(/\/messages\?/)).toBe(1);
      expect(api.logLines.join('')).toContain(`Gmail responded with ${status} (${reason})`);
      expect(api.logLines.join('')).not.toContain('of ada@example.com');
      // A missing scope ends the connection.
      await api.signIn();
    },
  );

  test('a grant without the scope shows in the account, and a new sign-in brings it back', async () => {
    const fault = { error: { code: 403, errors: [{ reason: 'insufficientPermissions' }] } };
    api.google.fail({ path: /\/messages\?/, times: 1, status: 403, body: fault });
    await ada.get('/api/v1/emails').expect(401);

    expect((await ada.get('/api/v1/me')).body.connection).toBe('reauth_required');
    await api.signIn();
    expect((await ada.get('/api/v1/me')).body.connection).toBe('active');
  });

  test('an email that vanishes between list and read is left out', async () => {
    await forgetMessages();
    api.google.fail({ path: /\/messages\/read/, times: 1, status: 404 });

    expect(toIds(await list(''))).toEqual(['new', 'update', 'exact', 'old']);
  });
});

describe('POST /api/v1/emails/lookup', () => {
  test('names emails wherever they are, in the order asked for, without deleted ones', async () => {
    const response = await lookUp(['trashed', 'gone', 'new', 'new']).expect(200);

    expect(toIds(response)).toEqual(['trashed', 'new']);
    expect(response.body.emails[1]).toEqual({
      id: 'new',
      from: 'News <news@shop.example>',
      subject: 'Sale 🎉',
      date: expect.any(String),
    });
  });

  test.each([[[]], [Array.from({ length: 101 }, (_, index) => `m${index}`)], [['a/b']]])(
    'refuses %j and names the field',
    async (emailIds) => {
      const response = await lookUp(emailIds).expect(400);

      expect(response.body.errors[0].path).toContain('emailIds');
    },
  );
});

const lookUp = (emailIds: string[]) => ada.post('/api/v1/emails/lookup', { emailIds });
/** Lets every message be fetched again. */
const forgetMessages = () => api.testDatabase.query('DELETE FROM "CachedMessage"');

const messages = [
  { id: 'new', subject: 'Sale 🎉', ageDays: 1 },
  { id: 'read', labelIds: ['INBOX', 'CATEGORY_SOCIAL'], ageDays: 2 },
  { id: 'archived', labelIds: ['CATEGORY_SOCIAL'], ageDays: 3 },
  { id: 'update', labelIds: ['INBOX', 'CATEGORY_UPDATES'], ageDays: 4, attachmentBytes: 1.5 * MEGABYTE },
  { id: 'exact', labelIds: ['INBOX', 'CATEGORY_PERSONAL'], ageDays: 5, attachmentBytes: MEGABYTE },
  { id: 'trashed', labelIds: ['TRASH'], ageDays: 6 },
  { id: 'spam', labelIds: ['SPAM'], ageDays: 6 },
  { id: 'old', labelIds: ['INBOX', 'UNREAD'], ageDays: 90.01 },
];

const list = (query: string) => ada.get(`/api/v1/emails${query}`).expect(200);

const toIds = (response: { body: { emails: { id: string }[] } }) =>
  response.body.emails.map((email) => email.id);

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': messages } });
  ada = await api.signIn();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
