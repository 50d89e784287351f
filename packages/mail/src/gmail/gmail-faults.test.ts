import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { refusal, type TestResponse } from '@mailsweep/google-sandbox/testing/gmail';
import { InvalidPageTokenError, MailboxError } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from './testing/test-mailbox.ts';

/** An email known to be in the inbox alone, to be archived. */
const archive = (id: string) => ({ id, added: [], removed: ['INBOX'], before: ['INBOX'] });
const inbox = { scope: 'inbox', pageSize: 5 } as const;
const faultOf = (work: Promise<unknown>): Promise<MailboxError> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  );
/** Responds with each of these in turn, then as usual. */
const inTurn =
  (...responses: TestResponse[]) =>
  () =>
    responses.shift();

describe('a page token that Gmail refuses', () => {
  it('is told apart from a fault of ours, so that the client hears of it', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(2) });
    gmail.intercept(() => refusal(400, 'invalidArgument', 'Invalid pageToken'));
    await expect(mailbox.listEmails({ ...inbox, pageToken: 'forged' })).rejects.toThrow(
      InvalidPageTokenError,
    );
    expect((await faultOf(mailbox.listEmails(inbox))).code).toBe('failed');
  });
});

describe('R21: a refused access token', () => {
  it('is renewed once, and the request sent again with the fresh one', async () => {
    const { mailbox, gmail, tokens } = await setUpMailbox({ messages: inboxMessages(1) });
    gmail.intercept(({ headers }) =>
      headers.authorization === 'Bearer token-1' ? refusal(401, 'authError') : undefined,
    );
    expect(await mailbox.changeLabels([archive('m0')], '1')).toMatchObject([{ id: 'm0', status: 'ok' }]);
    expect(tokens.refused).toEqual(['token-1']);
  });

  it('is named to the token source, so that requests refused together can share one renewal', async () => {
    const { mailbox, gmail, tokens } = await setUpMailbox({ messages: inboxMessages(8) });
    gmail.intercept(({ headers }) =>
      headers.authorization === 'Bearer token-1' ? refusal(401, 'authError') : undefined,
    );
    expect((await mailbox.listEmails({ ...inbox, pageSize: 8 })).emails).toHaveLength(8);
    expect(new Set(tokens.refused)).toEqual(new Set(['token-1']));
    expect(await tokens.current()).toBe('token-2');
  });

  it('asks the user to sign in again when the fresh one is refused too, and no request more is made', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox({}, { concurrentCalls: 1 });
    gmail.intercept(() => refusal(401, 'authError'));
    const outcomes = await mailbox.changeLabels(['m0', 'm1', 'm2'].map(archive), '1');
    expect(outcomes).toMatchObject(outcomes.map(() => ({ error: { code: 'reauth_required' } })));
    expect(gmail.requests).toHaveLength(2);
    expect(clock.waitsMs).toEqual([]);
  });

  it('passes on why the token source could not renew it', async () => {
    const lost = new MailboxError('reauth_required', 'grant revoked');
    const accessTokens = { current: async () => 'stale', renew: () => Promise.reject(lost) };
    const { mailbox, gmail } = await setUpMailbox({}, { accessTokens });
    gmail.intercept(() => refusal(401, 'authError'));
    expect(await faultOf(mailbox.listEmails(inbox))).toBe(lost);
  });

  it('counts as a failure when the token source breaks its word', async () => {
    const accessTokens = { current: () => Promise.reject(new Error('x')), renew: async () => 'fresh' };
    const { mailbox, gmail } = await setUpMailbox({}, { accessTokens });
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({ name: 'MailboxError', code: 'failed' });
    // The page token that a list goes on from is not to blame.
    expect(await faultOf(mailbox.listEmails({ ...inbox, pageToken: '5' }))).toMatchObject({ code: 'failed' });
    expect(gmail.requests).toEqual([]);
  });
});

describe('R21: faults that pass', () => {
  it.each<[string, TestResponse]>([
    ['429', refusal(429, 'rateLimitExceeded')],
    ['403 rateLimitExceeded', refusal(403, 'rateLimitExceeded')],
    ['403 userRateLimitExceeded', refusal(403, 'userRateLimitExceeded')],
    ['403 quotaExceeded', refusal(403, 'quotaExceeded')],
    [
      '403 in the new form',
      { status: 403, body: { error: { code: 403, details: [{ reason: 'RATE_LIMIT_EXCEEDED' }] } } },
    ],
    ['500', refusal(500, 'backendError')],
    ['400 failedPrecondition', refusal(400, 'failedPrecondition', 'Precondition check failed.')],
    ['503 without a readable body', { status: 503, body: '<html>' }],
    ['a broken connection', 'reset'],
    ['a connection broken within the response', 'reset_after_head'],
  ])('are tried again with growing waits: %s', async (_, fault) => {
    const { mailbox, gmail, clock } = await setUpMailbox({ messages: inboxMessages(1) });
    gmail.intercept(inTurn(fault, fault));
    expect(await mailbox.changeLabels([archive('m0')], '1')).toMatchObject([{ id: 'm0', status: 'ok' }]);
    expect(clock.waitsMs).toEqual([250, 500]);
  });

  it.each<TestResponse>(['hang', 'hang_after_head'])('are cut off in time: %s', async (fault) => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) }, { callTimeoutMs: 300 });
    gmail.intercept(inTurn(fault));
    expect(await mailbox.changeLabels([archive('m0')], '1')).toMatchObject([{ id: 'm0', status: 'ok' }]);
    expect(gmail.requests).toHaveLength(2);
  });

  it('have more time where one call changes many messages', async () => {
    const count = 30;
    const { mailbox, gmail } = await setUpMailbox(
      { messages: inboxMessages(count) },
      { callTimeoutMs: 1_000, batchModifyTimeoutMs: 30_000 },
    );
    gmail.intercept(async ({ path }) => {
      if (path.endsWith('/batchModify')) await delay(1_500);
      return undefined;
    });
    const ids = inboxMessages(count).map(({ id }) => id);
    const outcomes = await mailbox.changeLabels(ids.map(archive), undefined);
    expect(outcomes.every(({ status }) => status === 'ok')).toBe(true);
    expect(gmail.requests.filter(({ path }) => path.endsWith('/batchModify'))).toHaveLength(1);
  });

  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
  ])('are waited out as long as Gmail asks: Retry-After %s', async (retryAfter, waitMs) => {
    const { mailbox, gmail, clock } = await setUpMailbox({ messages: inboxMessages(1) });
    gmail.intercept(inTurn({ status: 429, headers: { 'retry-after': retryAfter } }));
    expect((await mailbox.listEmails(inbox)).emails).toHaveLength(1);
    expect(clock.waitsMs).toEqual([waitMs]);
  });

  it('are waited out until the moment that Gmail names in words alone', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox({ messages: inboxMessages(1) });
    const message = 'User-rate limit exceeded.  Retry after 2026-01-01T00:00:11.500Z';
    gmail.intercept(inTurn(refusal(429, 'rateLimitExceeded', message)));
    expect((await mailbox.listEmails(inbox)).emails).toHaveLength(1);
    expect(clock.waitsMs).toEqual([11_500]);
  });

  it('are given up at once when Gmail asks for more time than there is', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox();
    gmail.intercept(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    const fault = await faultOf(mailbox.listEmails(inbox));
    expect(fault).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
    expect(clock.waitsMs).toEqual([]);
  });

  it('end with their reason when they outlast the retry budget', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox();
    const begunMs = clock.nowMs();
    gmail.intercept(() => refusal(429, 'rateLimitExceeded'));
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: undefined,
    });
    gmail.intercept(() => refusal(503, 'backendError'));
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({ code: 'mailbox_unavailable' });
    expect(clock.waitsMs.length).toBeGreaterThan(8);
    expect(clock.nowMs() - begunMs).toBeLessThanOrEqual(2 * 20_000);
  });

  it('leave the mailbox unavailable when nobody answers at all', async () => {
    const { gmail: gone } = await setUpMailbox();
    await gone.close();
    const { mailbox } = await setUpMailbox({}, { baseUrl: gone.url, retryBudgetMs: 1_000 });
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({
      code: 'mailbox_unavailable',
      message: 'Gmail sent no complete response (ECONNREFUSED)',
    });
  });

  it('keep what was done before an outage, and fail the rest fast with the same reason', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox(
      { messages: inboxMessages(10) },
      { concurrentCalls: 2 },
    );
    gmail.intercept(() => (gmail.requests.length > 4 ? refusal(503, 'backendError') : undefined));
    const outcomes = await mailbox.changeLabels(
      inboxMessages(10).map(({ id }) => archive(id)),
      '1',
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'ok'),
      ...Array.from({ length: 6 }, () => 'error'),
    ]);
    const reasons = outcomes.flatMap((outcome) => ('error' in outcome ? outcome.error.code : []));
    expect(new Set(reasons)).toEqual(new Set(['mailbox_unavailable']));
    expect(clock.waitsMs.reduce((sum, waitMs) => sum + waitMs, 0)).toBeLessThanOrEqual(20_000);
    expect(gmail.requests.length).toBeLessThan(4 + 2 * 10);
  });

  it('of one message cost the others nothing', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(5) });
    gmail.intercept(({ path }) => (path.includes('/m2/') ? refusal(500, 'backendError') : undefined));
    const outcomes = await mailbox.changeLabels(
      inboxMessages(5).map(({ id }) => archive(id)),
      '1',
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'error', 'ok', 'ok']);
  });
});

describe('R21: faults that do not pass', () => {
  it.each<[string, TestResponse, string]>([
    ['a missing scope', refusal(403, 'insufficientPermissions'), 'missing_scope'],
    [
      'a missing scope in the new form',
      { status: 403, body: { error: { details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } } },
      'missing_scope',
    ],
    ['a Gmail API that is not enabled', refusal(403, 'accessNotConfigured'), 'gmail_api_disabled'],
    [
      'the same in the new form',
      { status: 403, body: { error: { details: [{ reason: 'SERVICE_DISABLED' }] } } },
      'gmail_api_disabled',
    ],
    ['a used up daily quota', refusal(403, 'dailyLimitExceeded'), 'daily_limit_exceeded'],
    ['a policy of the domain', refusal(403, 'domainPolicy'), 'domain_policy'],
    [
      'an account without Gmail',
      refusal(400, 'failedPrecondition', 'Mail service not enabled'),
      'mail_service_disabled',
    ],
    ['a 403 that is none of these', refusal(403, 'forbidden'), 'forbidden'],
    ['a 403 of unknown reason', { status: 403, body: 'no' }, 'forbidden'],
    ['any other refusal', refusal(400, 'invalidArgument'), 'failed'],
    ['a redirect, which is not followed', { status: 302, headers: { location: '/elsewhere' } }, 'failed'],
    ['a response that is no JSON', { body: '<html>Hello</html>' }, 'mailbox_unavailable'],
    ['a response of another shape', { body: { messages: 'many' } }, 'mailbox_unavailable'],
    ['an empty response', { status: 204, body: '' }, 'mailbox_unavailable'],
  ])('are told at once: %s', async (_, response, code) => {
    const { mailbox, gmail, clock } = await setUpMailbox();
    gmail.intercept(() => response);
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({ name: 'MailboxError', code });
    expect(gmail.requests).toHaveLength(1);
    expect(clock.waitsMs).toEqual([]);
  });

  it('name the provider’s reason, and when a daily quota begins again', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox();
    gmail.intercept(() => refusal(403, 'dailyLimitExceeded', 'secret mail'));
    const fault = await faultOf(mailbox.listEmails(inbox));
    expect(fault.message).toBe('Gmail responded with 403 (dailyLimitExceeded)');
    // Midnight in Los Angeles is 08:00 UTC in winter.
    expect(clock.nowMs() + (fault.retryAfterMs ?? 0)).toBe(Date.UTC(2026, 0, 1, 8));
  });

  it('of the whole mailbox end the call: nothing more is asked', async () => {
    const { mailbox, gmail } = await setUpMailbox({}, { concurrentCalls: 1 });
    gmail.intercept(() => refusal(403, 'accessNotConfigured'));
    const outcomes = await mailbox.changeLabels(['m0', 'm1', 'm2'].map(archive), '1');
    expect(outcomes).toMatchObject(outcomes.map(() => ({ error: { code: 'gmail_api_disabled' } })));
    expect(gmail.requests).toHaveLength(1);
  });

  it('include a response that grows beyond the size allowed', async () => {
    const { mailbox, gmail } = await setUpMailbox({}, { maxResponseBytes: 1_000 });
    gmail.intercept(() => ({ body: { nextPageToken: 'x'.repeat(1_000) } }));
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({ code: 'mailbox_unavailable' });
    expect(gmail.requests).toHaveLength(1);
  });

  it('include a response that only grows that large when it is unpacked', async () => {
    const { mailbox, gmail } = await setUpMailbox({}, { maxResponseBytes: 100_000 });
    const body = gzipSync(JSON.stringify({ nextPageToken: 'x'.repeat(5_000_000) }));
    expect(body.length).toBeLessThan(100_000);
    gmail.intercept(() => ({ headers: { 'content-encoding': 'gzip' }, body }));
    expect(await faultOf(mailbox.listEmails(inbox))).toMatchObject({ code: 'mailbox_unavailable' });
  });

  it('do not include a message that its sender has nested deep', async () => {
    const depth = 100_000;
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    const nested = `{"id":"m0","labelIds":["INBOX"],"payload":${'{"parts":['.repeat(depth)}${']}'.repeat(depth)}}`;
    gmail.intercept(({ path }) => (path.endsWith('/m0') ? { body: nested } : undefined));
    expect((await mailbox.listEmails(inbox)).emails).toMatchObject([{ id: 'm0', hasAttachment: false }]);
  });

  it('never show mail, tokens or responses in an error', async () => {
    const canary = 'canary-7f3a';
    const accessTokens = { current: async () => canary, renew: async () => canary };
    const { mailbox, gmail } = await setUpMailbox({}, { accessTokens, callTimeoutMs: 100, retryBudgetMs: 1 });
    const responses: TestResponse[] = [
      refusal(400, canary, canary),
      refusal(401, canary, canary),
      refusal(500, canary, canary),
      { body: canary },
      { body: { messages: canary, [canary]: canary } },
      'reset',
      'hang_after_head',
    ];
    for (const response of responses) {
      gmail.intercept(() => response);
      const fault = await faultOf(mailbox.listEmails(inbox));
      expect(fault.name).toBe('MailboxError');
      const { stack, message, cause } = fault;
      expect(JSON.stringify([stack, message, cause, String(cause), fault])).not.toContain(canary);
    }
  });
});

describe('the address of the provider', () => {
  it('has to be a URL', async () => {
    await expect(setUpMailbox({}, { baseUrl: 'not a url' })).rejects.toThrow(TypeError);
  });
});

describe('a 404 for what every mailbox has', () => {
  it.each(['profile', 'messages', 'labels'])(
    '(%s) is an outage, which may pass, and no missing email',
    async (path) => {
      const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(2) });
      const missing = ({ path: asked }: { path: string }) =>
        asked.endsWith(`/me/${path}`) ? refusal(404, 'notFound') : undefined;
      const use = () =>
        path === 'profile'
          ? mailbox.readBaseline(['unknown'])
          : path === 'labels'
            ? mailbox.findOrCreateLabels(['Own'], { perCall: 1, inTotal: 1, prefix: 'Own' })
            : mailbox.listEmails(inbox);
      gmail.intercept(missing);
      expect(await faultOf(use())).toMatchObject({ code: 'mailbox_unavailable' });

      let isOver = false;
      gmail.intercept((request) => {
        const response = isOver ? undefined : missing(request);
        isOver ||= response !== undefined;
        return response;
      });
      await use();
      expect(isOver).toBe(true);
    },
  );
});
