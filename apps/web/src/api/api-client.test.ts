// @vitest-environment node
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createApiClient } from './api-client.ts';
import { ProblemError, UnexpectedResponseError, UnreachableError } from './api-errors.ts';

describe('the API client', () => {
  it('spells filters as the wire wants them and leaves out what is not set', async () => {
    const api = await serve(200, { emails: [], nextPageToken: null, total: 0 });
    const reply = await createApiClient(api).listEmails({
      query: { unread: true, olderThan: 30, category: undefined, pageToken: 'a&b' },
    });
    expect(reply.total).toBe(0);
    expect(api.requests[0]?.url).toBe('/api/v1/emails?unread=true&olderThan=30&pageToken=a%26b');
  });

  it('sends every change as JSON, which a form of another site could not', async () => {
    const api = await serve(200, { success: true, execution: 'full', summary: zero, results: [] });
    await createApiClient(api).undoActions({
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
    await createApiClient(api).undoAction({ params: { id: 'a/b' }, idempotencyKey: 'key-1' });
    expect(api.requests[0]?.url).toBe('/api/v1/notifications/history/a%2Fb/undo');
  });

  it('turns a problem document into an error with its code', async () => {
    const api = await serve(401, { ...problem, status: 401, code: 'reauth_required' });
    const error = await failure(createApiClient(api).getMe({}));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'reauth_required', status: 401 });
  });

  it.each([
    ['a response that is no JSON', 502, '<html>Bad gateway</html>'],
    ['an error without a problem document', 500, { oops: true }],
    ['a page of something in between', 200, '<html>Welcome to the hotel</html>'],
  ])('does not take %s for granted', async (_what, status, body) => {
    const error = await failure(createApiClient(await serve(status, body)).getMe({}));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status });
  });

  it('asks whether what it has is still current, and takes that where it is', async () => {
    const sent: (string | null)[] = [];
    const tags = ['"1"', '"1"', '"2"'];
    const client = createApiClient({
      apiOrigin: 'https://api.example.org',
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
    expect(await failure(createApiClient(api).getMe({}))).toBeInstanceOf(UnreachableError);
  });

  it('notifies its watcher of an error before the caller', async () => {
    const api = await serve(401, { ...problem, status: 401, code: 'unauthorized' });
    const told: unknown[] = [];
    const client = createApiClient({ ...api, onError: (error) => told.push(error) });
    const error = await failure(client.getMe({}));
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
): Promise<{ apiOrigin: string; requests: SeenRequest[] }> => {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    requests.push(toSeen(request));
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { apiOrigin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
};
