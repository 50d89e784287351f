import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import {
  createClient,
  followCleanup,
  isProblem,
  ProblemError,
  UnexpectedResponseError,
  UnreachableError,
} from './index.ts';

describe('the client', () => {
  it('spells filters as the wire wants them and leaves out what is not set', async () => {
    const api = await serve(200, { emails: [], nextPageToken: null, total: 0 });
    const reply = await createClient({ baseUrl: api.baseUrl }).listEmails({
      query: { unread: true, olderThan: 30, category: undefined, pageToken: 'a&b' },
    });
    expect(reply.total).toBe(0);
    expect(api.requests[0]?.url).toBe('/api/v1/emails?unread=true&olderThan=30&pageToken=a%26b');
  });

  it('sends every change as JSON, which a form of another site could not', async () => {
    const api = await serve(200, { success: true, execution: 'full', summary: zero, results: [] });
    await createClient({ baseUrl: api.baseUrl }).undoActions({
      body: { ids: ['01900000-0000-7000-8000-000000000001'] },
      idempotencyKey: 'key-1',
    });
    expect(api.requests[0]).toMatchObject({
      method: 'POST',
      contentType: 'application/json',
      idempotencyKey: 'key-1',
    });
  });

  it('puts parameters into the path', async () => {
    const api = await serve(200, { success: true, execution: 'full', summary: zero, results: [] });
    await createClient({ baseUrl: api.baseUrl }).undoAction({
      params: { id: 'a/b' },
      idempotencyKey: 'key-1',
    });
    expect(api.requests[0]?.url).toBe('/api/v1/notifications/history/a%2Fb/undo');
  });

  it('turns a problem document into an error with its code', async () => {
    const api = await serve(401, { ...problem, status: 401, code: 'reauth_required' });
    const error = await failure(createClient({ baseUrl: api.baseUrl }).getMe());
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'reauth_required', status: 401 });
  });

  it.each([
    ['a response that is no JSON', 502, '<html>Bad gateway</html>'],
    ['an error without a problem document', 500, { oops: true }],
    ['a page of something in between', 200, '<html>Welcome to the hotel</html>'],
  ])('does not take %s for granted', async (_what, status, body) => {
    const { baseUrl } = await serve(status, body);
    const error = await failure(createClient({ baseUrl, retries: 0 }).getMe());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status });
  });

  it('asks whether what it has is still current, and takes that where it is', async () => {
    const sent: (string | null)[] = [];
    const tags = ['"1"', '"1"', '"2"'];
    const client = createClient({
      baseUrl: 'https://api.example.org',
      fetch: async (_url, init) => {
        const known = new Headers(init?.headers).get('if-none-match');
        sent.push(known);
        const etag = tags[sent.length - 1] ?? '';
        if (known === etag) return new Response(null, { status: 304 });
        return Response.json({ id: 'scan-1', at: etag }, { headers: { etag } });
      },
    });
    const read = () => client.getScan({ params: { id: 'scan-1' } });
    expect(await read()).toEqual({ id: 'scan-1', at: '"1"' });
    expect(await read()).toEqual({ id: 'scan-1', at: '"1"' });
    expect(await read()).toEqual({ id: 'scan-1', at: '"2"' });
    expect(sent).toEqual([null, '"1"', '"1"']);
  });

  it('says so when there is no response', async () => {
    const api = await serve(200, {});
    await close();
    expect(await failure(createClient({ baseUrl: api.baseUrl, retries: 0 }).getMe())).toBeInstanceOf(
      UnreachableError,
    );
  });

  it('does not wait for a response beyond its time limit', async () => {
    const api = await serve(200, 'nothing more comes', { isComplete: false });
    const error = await failure(createClient({ baseUrl: api.baseUrl }).getMe({ timeLimitMs: 50 }));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ cause: { name: 'TimeoutError' } });
  });

  it('ends a call whose signal is aborted, with the reason of the signal', async () => {
    const api = await serve(200, 'nothing more comes', { isComplete: false });
    const abort = new AbortController();
    const call = failure(createClient({ baseUrl: api.baseUrl }).getMe({ signal: abort.signal }));
    await vi.waitFor(() => expect(api.requests).toHaveLength(1));
    abort.abort();
    expect(await call).toBe(abort.signal.reason);
  });

  it('sends a token in place of cookies', async () => {
    const sent: RequestInit[] = [];
    const fetch = async (_url: unknown, init: RequestInit = {}) => {
      sent.push(init);
      return Response.json({});
    };
    const baseUrl = 'https://api.example.org';
    await createClient({ baseUrl, fetch, token: 'abc' }).getMe();
    await createClient({ baseUrl, fetch, token: async () => 'def' }).getMe();
    await createClient({ baseUrl, fetch }).getMe();
    expect(
      sent.map(({ credentials, headers }) => [credentials, new Headers(headers).get('authorization')]),
    ).toEqual([
      ['omit', 'Bearer abc'],
      ['omit', 'Bearer def'],
      ['include', null],
    ]);
  });

  it('names the mailbox that it works in', async () => {
    const sent: (string | null)[] = [];
    const fetch = async (_url: unknown, init: RequestInit = {}) => {
      sent.push(new Headers(init.headers).get('mailsweep-mailbox'));
      return Response.json({});
    };
    const baseUrl = 'https://api.example.org';
    for (const mailbox of [2, undefined]) await createClient({ baseUrl, fetch, mailbox }).getMe();
    expect(sent).toEqual(['2', null]);
  });

  it('takes a token with the end of its line, and tells no other that does not fit a header', async () => {
    const api = await serve(200, {});
    await createClient({ baseUrl: api.baseUrl, token: 'abc\n' }).getMe();
    expect(api.requests).toHaveLength(1);
    for (const token of ['', 'secret\nand more', 'secret€']) {
      const error = await failure(createClient({ baseUrl: api.baseUrl, token }).getMe());
      expect(error).toBeInstanceOf(TypeError);
      expect(inspect(error)).not.toContain('secret');
    }
    expect(api.requests).toHaveLength(1);
  });

  it('makes a key for a call that takes one, and another for the next call', async () => {
    const api = await serve(202, {});
    const client = createClient({ baseUrl: api.baseUrl });
    await client.startScan();
    await client.startScan();
    await client.lookUpEmails({ body: { emailIds: ['a'] } });
    const [first, second, third] = api.requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(third).toBeUndefined();
  });

  it('refuses what a caller without types gives at the wrong place, and requests nothing', async () => {
    const { baseUrl, requests } = await serve(200, {});
    const client = createClient({ baseUrl }) as unknown as Record<
      string,
      (given: unknown) => Promise<unknown>
    >;
    const id = 'a';
    for (const [method, given, name] of [
      ['listEmails', { unread: true }, 'unread'],
      ['listEmails', { query: {}, body: { unread: true } }, 'body'],
      ['listEmails', { query: { search: null } }, 'search'],
      ['listEmails', { query: { category: ['social'] } }, 'category'],
      ['runCleanup', { params: { id }, requiresConfirmation: true }, 'requiresConfirmation'],
      ['runCleanup', { params: { id, requiresConfirmation: true } }, 'requiresConfirmation'],
      ['getMe', { params: { id } }, 'params'],
      ['updatePreferences', { body: {}, idempotencyKey: id }, 'idempotencyKey'],
      ['revokeToken', {}, 'id'],
      ['revokeToken', { params: { id: '' } }, 'id'],
      ['revokeToken', { params: { id: '..' } }, 'id'],
      ['revokeToken', { params: { id: 7 } }, 'id'],
    ] as const) {
      const error = await failure(client[method]?.(given) ?? Promise.resolve());
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(` ${name} `.trimEnd());
    }
    expect(requests).toEqual([]);
    const options = { baseUrl, timeoutMs: 5 };
    expect(() => createClient(options)).toThrow('createClient takes no timeoutMs');
    const following = followCleanup(createClient({ baseUrl }), id, { ...{ interval: 5, patienceMs: 5 } });
    expect(await failure(following.next())).toMatchObject({
      message: expect.stringContaining('no interval'),
    });
  });

  it('keeps the path of its base URL', async () => {
    const api = await serve(200, {});
    await createClient({ baseUrl: `${api.baseUrl}/mail/` }).getMe();
    expect(api.requests[0]?.url).toBe('/mail/api/v1/me');
  });

  it('tells problems by their codes', async () => {
    const api = await serve(409, { ...problem, status: 409, code: 'wrong_state' });
    const error = await failure(createClient({ baseUrl: api.baseUrl }).runCleanup({ params: { id: 'a' } }));
    expect(isProblem(error, 'not_found', 'wrong_state')).toBe(true);
    expect(isProblem(error)).toBe(true);
    expect(isProblem(error, 'not_found')).toBe(false);
    expect(isProblem(new Error('other'))).toBe(false);
    if (isProblem(error, 'wrong_state')) expectTypeOf(error.code).toEqualTypeOf<'wrong_state'>();
  });

  it('notifies its watcher of an error before the caller', async () => {
    const api = await serve(401, { ...problem, status: 401, code: 'unauthorized' });
    const told: unknown[] = [];
    const client = createClient({ baseUrl: api.baseUrl, onError: (error) => told.push(error) });
    const error = await failure(client.getMe());
    expect(told).toEqual([error]);
  });
});

interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  contentType: string | undefined;
  idempotencyKey: unknown;
}

const zero = { total: 0, processed: 0, failed: 0 };
const problem = {
  type: 'about:blank',
  title: 'Unauthorized',
  detail: 'Sign in.',
  instance: '/api/v1/me',
  requestId: 'request-1',
};

let close = async () => Promise.resolve();
afterEach(() => close());

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

const toSeen = (request: IncomingMessage): SeenRequest => ({
  method: request.method,
  url: request.url,
  contentType: request.headers['content-type'],
  idempotencyKey: request.headers['idempotency-key'],
});

const serve = async (
  status: number,
  body: unknown,
  { isComplete = true } = {},
): Promise<{ baseUrl: string; requests: SeenRequest[] }> => {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    requests.push(toSeen(request));
    response.writeHead(status).write(typeof body === 'string' ? body : JSON.stringify(body));
    if (isComplete) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};
