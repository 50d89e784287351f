import { UnreachableError } from '@mailsweep/client';
import { expect, it, vi } from 'vitest';
import { createAppClient } from './app-client.ts';

it('a request that acts is sent once while it is in flight, and its key is that of the intent', async () => {
  const { client, sent, respond } = setUp();
  const create = () => client.createCleanup({ body: { action: 'archive', selection: SELECTION } });
  const [first, second] = [create(), create()];
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  // Nobody knows whether it acted: repeats the same request.
  respond(new Response(null, { status: 502 }));
  await expect(Promise.allSettled([first, second])).resolves.toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  const again = create();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  respond(new TypeError('lost'));
  await expect(again).rejects.toThrow(UnreachableError);

  const [third, fourth] = [create(), create()];
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  respond(Response.json({ id: 'done' }));
  expect(await Promise.all([third, fourth])).toEqual([{ id: 'done' }, { id: 'done' }]);
  expect(new Set(sent).size).toBe(1);

  // It has an outcome: the next request is another intent.
  const other = create();
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  respond(Response.json({ id: 'new' }));
  expect(await other).toEqual({ id: 'new' });
  expect(sent[3]).not.toBe(sent[0]);
});

it('another request to the same address is another intent, and one between two others ends the first', async () => {
  const { client, sent, respond } = setUp();
  const params = { id: 'a'.repeat(64) };
  const asked = [
    client.protectSender({ params }),
    client.unprotectSender({ params }),
    client.protectSender({ params }),
  ];
  await vi.waitFor(() => expect(sent).toHaveLength(3));
  for (let index = 0; index < 3; index += 1) respond(Response.json({}));
  await Promise.all(asked);
});

const SELECTION = { type: 'filter', scope: 'inbox' } as const;

/** A client that gets these responses in turn; `sent` has the keys of its requests. */
const setUp = () => {
  const sent: (string | null)[] = [];
  const waiting: PromiseWithResolvers<Response>[] = [];
  const fetch: typeof globalThis.fetch = (_url, init) => {
    sent.push(new Headers(init?.headers).get('idempotency-key'));
    const response = Promise.withResolvers<Response>();
    waiting.push(response);
    return response.promise;
  };
  return {
    client: createAppClient({ apiOrigin: 'https://api.example.org', fetch }),
    sent,
    respond: (response: Response | Error) => {
      const next = waiting.shift();
      if (response instanceof Error) next?.reject(response);
      else next?.resolve(response);
    },
  };
};
