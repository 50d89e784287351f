import { refusal, type TestResponse } from '@mailsweep/google-sandbox/testing/gmail';
import { decodeBatch, encodeBatch } from '@mailsweep/mail/gmail/protocol';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, readEach, setUpMailbox } from './testing/test-mailbox.ts';

const BATCH = '/batch/gmail/v1';
const inbox = (pageSize: number) => ({ scope: 'inbox', pageSize }) as const;

const setUp = async (messageCount: number, options: Parameters<typeof setUpMailbox>[1] = {}) => {
  const set = await setUpMailbox(
    { messages: inboxMessages(messageCount).map((message) => ({ ...message, text: `of ${message.id}` })) },
    { batchReads: true, ...options },
  );
  const { requests } = set.gmail;
  return {
    ...set,
    batches: () => requests.filter(({ path }) => path === BATCH).length,
    callsFor: (id: string) => requests.filter(({ path }) => path.endsWith(`/${id}`)),
    single: () => requests.filter(({ path, isInBatch }) => path !== BATCH && !isInBatch),
  };
};

/** The response to a batch, but for the part with this message. */
const withoutMessage = (id: string, response: TestResponse): TestResponse => {
  if (typeof response === 'string') return response;
  const parts = String(response.body).split(/(?=--batch_)/);
  return { ...response, body: parts.filter((part) => !part.includes(`"id":"${id}"`)).join('') };
};

/** Responds like this to the first calls for a path, then as usual. */
const forPath =
  (suffix: string, ...responses: TestResponse[]) =>
  ({ path }: { path: string }) =>
    path.endsWith(suffix) ? responses.shift() : undefined;

describe('messages of a page', () => {
  it('are read in batches of at most 25, and each response goes to the call that it names', async () => {
    const { mailbox, gmail, batches, single } = await setUp(60);
    const { emails } = await mailbox.listEmails(inbox(60));
    expect(emails.map(({ id, snippet }) => [id, snippet])).toEqual(
      inboxMessages(60).map(({ id }) => [id, `of ${id}`]),
    );
    expect(batches()).toBe(3);
    expect(single().map(({ path }) => path)).toEqual(['/gmail/v1/users/me/messages']);
    expect(gmail.requests.filter(({ isInBatch }) => isInBatch)).toHaveLength(60);
  });

  it('take two batches where 25 were never seen: 20 calls of a user are in flight at most', async () => {
    const { mailbox, batches } = await setUp(25);
    expect((await mailbox.listEmails(inbox(25))).emails).toHaveLength(25);
    expect(batches()).toBe(2);
  });

  it('are asked for with the mask that keeps bodies out, within batches too', async () => {
    const { mailbox, callsFor } = await setUp(2);
    await mailbox.listEmails(inbox(2));
    const [call] = callsFor('m1');
    expect(call?.isInBatch).toBe(true);
    expect(call?.query.get('format')).toBe('full');
    expect(call?.query.get('fields')).toContain('internalDate');
    expect(call?.query.get('fields')).not.toContain('data');
  });

  it('are asked for again, alone, when the batch leaves them unanswered', async () => {
    const { mailbox, gmail, callsFor, batches } = await setUp(4);
    gmail.intercept(async (request) =>
      request.path === BATCH ? withoutMessage('m2', await gmail.respondToBatch(request)) : undefined,
    );
    const { emails } = await mailbox.listEmails(inbox(4));
    expect(emails.map(({ id, snippet }) => [id, snippet])).toEqual(
      ['m0', 'm1', 'm2', 'm3'].map((id) => [id, `of ${id}`]),
    );
    expect(callsFor('m2').map(({ isInBatch }) => isInBatch)).toEqual([true, false]);
    expect(callsFor('m1')).toHaveLength(1);
    expect(batches()).toBe(1);
  });

  it('that are alone go out without a batch', async () => {
    const { mailbox, batches } = await setUp(1);
    expect((await mailbox.listEmails(inbox(1))).emails).toHaveLength(1);
    expect(batches()).toBe(0);
  });
});

describe('faults within a batch', () => {
  it.each<[string, TestResponse, number]>([
    ['429', { status: 429, headers: { 'retry-after': '7' } }, 7_000],
    ['403 rateLimitExceeded', refusal(403, 'rateLimitExceeded'), 250],
    ['503', refusal(503, 'backendError'), 250],
  ])('cost their own call another attempt, and no other: %s', async (_, fault, waitMs) => {
    const { mailbox, gmail, callsFor, clock } = await setUp(5);
    gmail.intercept(forPath('/m3', fault));
    expect((await mailbox.listEmails(inbox(5))).emails).toHaveLength(5);
    expect(callsFor('m3')).toHaveLength(2);
    expect(callsFor('m1')).toHaveLength(1);
    expect(clock.waitsMs).toEqual([waitMs]);
  });

  it('belong to one message where they tell of that message', async () => {
    const { mailbox, gmail } = await setUp(4);
    gmail.intercept(forPath('/m1', refusal(404, 'notFound')));
    expect((await mailbox.listEmails(inbox(4))).emails.map(({ id }) => id)).toEqual(['m0', 'm2', 'm3']);
    gmail.intercept(forPath('/m2', refusal(403, 'forbidden')));
    expect(await readEach(mailbox, ['m0', 'm2', 'm3'])).toMatchObject([
      { id: 'm0', status: 'ok' },
      { id: 'm2', error: { code: 'forbidden' } },
      { id: 'm3', status: 'ok' },
    ]);
  });

  it('renew a refused token once for all', async () => {
    const { mailbox, gmail, tokens } = await setUp(6);
    gmail.intercept(({ headers, isInBatch }) =>
      isInBatch && headers.authorization === 'Bearer token-1' ? refusal(401, 'authError') : undefined,
    );
    expect((await mailbox.listEmails(inbox(6))).emails).toHaveLength(6);
    expect(tokens.refused).toEqual(['token-1']);
  });
});

describe('faults of a batch as a whole', () => {
  it.each<[string, TestResponse]>([
    ['429', { status: 429 }],
    ['503', refusal(503, 'backendError')],
    ['a broken connection', 'reset'],
    ['a connection broken within the response', 'reset_after_head'],
    ['no response in time', 'hang'],
  ])('that pass are tried again: %s', async (_, fault) => {
    const { mailbox, gmail, batches } = await setUp(5, fault === 'hang' ? { callTimeoutMs: 1_000 } : {});
    gmail.intercept(forPath(BATCH, fault));
    expect((await mailbox.listEmails(inbox(5))).emails).toHaveLength(5);
    expect(batches()).toBe(2);
  });

  it('renew a refused token', async () => {
    const { mailbox, gmail, tokens } = await setUp(5);
    gmail.intercept(forPath(BATCH, refusal(401, 'authError')));
    expect((await mailbox.listEmails(inbox(5))).emails).toHaveLength(5);
    expect(tokens.refused).toEqual(['token-1']);
  });

  it.each<[string, TestResponse]>([
    ['it does not know the endpoint', refusal(404, 'notFound')],
    ['it answers with something else', { body: { hello: 'world' } }],
  ])('that mean that the provider knows no batches end them: %s', async (_, response) => {
    const { mailbox, gmail, batches, single } = await setUp(60);
    gmail.intercept(({ path }) => (path === BATCH ? response : undefined));
    expect((await mailbox.listEmails(inbox(60))).emails).toHaveLength(60);
    expect(batches()).toBe(1);
    expect(single()).toHaveLength(61);
  });

  it('that come of its size send its calls one by one, where each has a size of its own', async () => {
    const { mailbox, gmail } = await setUp(3, { maxResponseBytes: 50_000 });
    gmail.intercept(forPath('/m1', { body: { id: 'm1', snippet: 'x'.repeat(60_000) } }));
    expect((await mailbox.listEmails(inbox(3))).emails.map(({ id }) => id)).toEqual(['m0', 'm1', 'm2']);
  });

  it('end with their reason when they outlast the retry budget', async () => {
    const { mailbox, gmail, clock } = await setUp(5);
    const begunMs = clock.nowMs();
    gmail.intercept(({ path }) => (path === BATCH ? refusal(503, 'backendError') : undefined));
    const fault = await mailbox.listEmails(inbox(5)).catch((error) => error);
    expect(fault).toBeInstanceOf(MailboxError);
    expect(fault.code).toBe('mailbox_unavailable');
    expect(clock.nowMs() - begunMs).toBeLessThanOrEqual(20_000);
  });
});

describe('the response to a batch', () => {
  const part = (id: string, body: string) =>
    `--b\r\nContent-Type: application/http\r\nContent-ID: <response-${id}>\r\n\r\nHTTP/1.1 200 OK\r\nretry-after: 3\r\n\r\n${body}\r\n`;
  const type = 'multipart/mixed; boundary="b"';

  it('is read by Content-ID, whatever the order and the line ends', () => {
    const text = `${part('two', '{"n":2}')}${part('one', '{"n":1}')}--b--\r\n`;
    for (const variant of [text, text.replaceAll('\r\n', '\n'), `preamble\r\n${text}epilogue`]) {
      const responses = decodeBatch(variant, type);
      expect(responses?.get('one')).toMatchObject({ status: 200, retryAfter: '3' });
      expect(JSON.parse(responses?.get('one')?.text ?? '')).toEqual({ n: 1 });
      expect(JSON.parse(responses?.get('two')?.text ?? '')).toEqual({ n: 2 });
    }
  });

  it('leaves out what is named twice, and what can’t be read', () => {
    const nameless = part('x', '{}').replace(/Content-ID.*\r\n/, '');
    const responses = decodeBatch(
      `${part('one', '1')}${part('one', '2')}${nameless}${part('two', '2')}--b--`,
      type,
    );
    expect([...(responses?.keys() ?? [])]).toEqual(['two']);
  });

  it('is none under another type', () => {
    expect(decodeBatch(part('one', '1'), 'application/json')).toBeUndefined();
    expect(decodeBatch(part('one', '1'), undefined)).toBeUndefined();
  });
});

describe('a batch on the wire', () => {
  it('is one HTTP request within each part', () => {
    const body = encodeBatch(
      [{ contentId: 'one', method: 'GET', target: '/gmail/v1/users/me/messages/m1?a=b' }],
      'b',
    );
    expect(body).toBe(
      '--b\r\nContent-Type: application/http\r\nContent-ID: <one>\r\n\r\nGET /gmail/v1/users/me/messages/m1?a=b HTTP/1.1\r\n\r\n\r\n--b--\r\n',
    );
  });
});
