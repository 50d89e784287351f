import { describe, expect, it } from 'vitest';
import { mailboxOf, message, openMailbox, startSandbox } from '../testing/test-sandbox.ts';

const BOUNDARY = 'the-boundary';

const toBatch = (requests: { id: string; line: string; body?: unknown }[]): string =>
  [
    ...requests.flatMap(({ id, line, body }) => [
      `--${BOUNDARY}`,
      'Content-Type: application/http',
      `Content-ID: <${id}>`,
      '',
      line,
      ...(body === undefined ? [''] : ['Content-Type: application/json', '', JSON.stringify(body)]),
    ]),
    `--${BOUNDARY}--`,
    '',
  ].join('\r\n');

const postBatch = (url: string, authorization: string, body: string): Promise<Response> =>
  fetch(`${url}/batch/gmail/v1`, {
    method: 'POST',
    headers: { authorization, 'content-type': `multipart/mixed; boundary=${BOUNDARY}` },
    body,
  });

const readBatch = async (response: Response) => {
  const boundary = response.headers.get('content-type')?.match(/boundary=(\S+)/)?.[1] ?? '';
  const sections = (await response.text()).split(`--${boundary}`).slice(1, -1);
  return sections.map((section) => {
    const [head = '', inner = '', body = ''] = section.split('\r\n\r\n');
    return {
      id: head.match(/Content-ID: <(.+)>/)?.[1],
      status: Number(inner.match(/^HTTP\/1\.1 (\d+)/)?.[1]),
      body: body.trim() === '' ? null : JSON.parse(body),
    };
  });
};

const get = (id: string) => ({
  id: `get-${id}`,
  line: `GET /gmail/v1/users/me/messages/${id}?format=minimal HTTP/1.1`,
});

describe('batches of the sandbox', () => {
  it('responds to each call by its Content-ID, in an arbitrary order', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'), message('m2'))]);
    const { authorization } = await openMailbox(url);
    const modify = {
      id: 'modify',
      line: 'POST /gmail/v1/users/me/messages/m2/modify HTTP/1.1',
      body: { removeLabelIds: ['INBOX'] },
    };
    const response = await postBatch(url, authorization, toBatch([get('m1'), get('nowhere'), modify]));
    expect(response.status).toBe(200);
    const responses = await readBatch(response);
    expect(responses.map(({ id, status }) => [id, status])).toEqual([
      ['response-modify', 200],
      ['response-get-nowhere', 404],
      ['response-get-m1', 200],
    ]);
    expect(responses[0]?.body).toMatchObject({ id: 'm2' });
    expect(responses[0]?.body).not.toHaveProperty('labelIds');
    expect(responses[2]?.body).toMatchObject({ id: 'm1' });
  });

  it('refuses single calls without a good token, and the whole when it can’t be read', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const [response] = await readBatch(await postBatch(url, 'Bearer forged', toBatch([get('m1')])));
    expect(response?.status).toBe(401);
    expect((await postBatch(url, 'Bearer forged', 'nothing of the kind')).status).toBe(400);
  });

  it('takes a hundred calls, and no more', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const { authorization } = await openMailbox(url);
    const calls = Array.from({ length: 101 }, () => get('m1'));
    expect((await postBatch(url, authorization, toBatch(calls))).status).toBe(400);
    const responses = await readBatch(await postBatch(url, authorization, toBatch(calls.slice(1))));
    expect(responses).toHaveLength(100);
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  it('charges each call of a batch, and lets a fault hit one of them alone', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'), message('m2'))]);
    const { authorization } = await openMailbox(url);
    await fetch(`${url}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'rate_limited_429', path: '/messages/m2$' }),
    });
    await fetch(`${url}/sandbox/requests`, { method: 'DELETE' });
    const responses = await readBatch(await postBatch(url, authorization, toBatch([get('m1'), get('m2')])));
    expect(responses.map(({ status }) => status)).toEqual([429, 200]);
    const log = (await (await fetch(`${url}/sandbox/requests`)).json()) as object[];
    expect(log).toContainEqual(
      expect.objectContaining({ path: '/gmail/v1/users/me/messages/m1', units: 20, isInBatch: true }),
    );
    expect(log).toContainEqual(
      expect.objectContaining({ path: '/gmail/v1/users/me/messages/m2', units: 0, status: 429 }),
    );
    expect(log).toContainEqual(expect.objectContaining({ path: '/batch/gmail/v1', units: 0 }));
  });
});
