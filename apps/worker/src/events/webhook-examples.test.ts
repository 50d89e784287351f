import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';

const FOLDER = new URL('../../../../examples/webhook/', import.meta.url);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"domain.suggestions.generated","data":{"userId":"u1"}}';

const sign = (secret: string, at = new Date()) => ({
  'webhook-id': 'event-1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  'webhook-signature': new Webhook(secret).sign('event-1', at, BODY),
});
const genuine = sign(SECRET);
const CALLS: [string, body: string, headers: Record<string, string>, isGenuine: boolean][] = [
  ['a genuine call', BODY, genuine, true],
  [
    'one of a rotation',
    BODY,
    {
      ...genuine,
      'webhook-signature': `${sign(OTHER)['webhook-signature']} ${genuine['webhook-signature']}`,
    },
    true,
  ],
  ['another secret', BODY, sign(OTHER), false],
  ['another body', BODY.replace('u1', 'u2'), genuine, false],
  ['another id', BODY, { ...genuine, 'webhook-id': 'event-2' }, false],
  ['an old call', BODY, sign(SECRET, new Date(Date.now() - 600_000)), false],
  ['a time that is none', BODY, { ...genuine, 'webhook-timestamp': 'a[1]' }, false],
  ['no signature', BODY, { ...genuine, 'webhook-signature': '' }, false],
];

const start = (command: string, args: string[]): ChildProcess => {
  // biome-ignore lint/style/noProcessEnv: a program is found by the PATH.
  const env = { ...process.env, WEBHOOK_SIGNING_SECRET: SECRET };
  const child = spawn(command, args, { cwd: FOLDER, env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  return child;
};

describe('the examples of a receiver', () => {
  test.each([
    ['in Python', 'python3', 'receive.py'],
    ['for Node', process.execPath, 'receive.mjs'],
  ])('%s take genuine calls alone, and a repeated one once', async (_language, command, file) => {
    const child = start(command, [file, '0']);
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    const { value: url = '' } = await lines.next();
    for (const [what, body, headers, isGenuine] of CALLS) {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      expect([what, status]).toEqual([what, isGenuine ? 204 : 401]);
    }
    const { value: printed } = await lines.next();
    expect(printed).toMatch(/^domain\.suggestions\.generated \{"userId": ?"u1"\}$/);
  });

  test.each(CALLS)('in a shell tells %s', async (_what, body, headers, isGenuine) => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const child = start(
      './verify.sh',
      names.map((name) => headers[name] ?? ''),
    );
    child.stdin?.on('error', () => undefined).end(body);
    const [code] = await once(child, 'exit');
    expect(code === 0).toBe(isGenuine);
  });
});
