import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, openRow } from './harness/campaign.ts';
import { type FaultStack, startFaultStack } from './harness/fault-stack.ts';

const base64Of = (bytes: number) => randomBytes(bytes).toString('base64');

const BAD_SECRETS: [what: string, variable: string, value: string][] = [
  ['no key', 'TOKEN_ENCRYPTION_KEY', ''],
  ['31 bytes', 'TOKEN_ENCRYPTION_KEY', base64Of(31)],
  ['33 bytes', 'TOKEN_ENCRYPTION_KEY', base64Of(33)],
  ['32 characters', 'TOKEN_ENCRYPTION_KEY', 'x'.repeat(32)],
  ['32 bytes in hex', 'TOKEN_ENCRYPTION_KEY', randomBytes(32).toString('hex')],
  ['32 bytes in base64url', 'TOKEN_ENCRYPTION_KEY', Buffer.alloc(32, 0xff).toString('base64url')],
  ['no padding', 'TOKEN_ENCRYPTION_KEY', base64Of(32).replace('=', '')],
  ['a short previous key', 'TOKEN_ENCRYPTION_KEY_PREVIOUS', base64Of(16)],
  ['a secret of 31 bytes', 'INTERNAL_JWT_SECRET', 'x'.repeat(31)],
];

const row = openRow('R10');

describe('R10 the API', () => {
  it.each(byForm(BAD_SECRETS.slice(0, 3).concat(BAD_SECRETS.slice(-1)), BAD_SECRETS))(
    'does not start, nor listen, with %s (%s)',
    async (_what, variable, value) => {
      const { api } = stack;
      const ended = api.start({ [variable]: value });
      let hasListened = false;
      const watch = setInterval(() => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
          hasListened = true;
          socket.destroy();
        });
        socket.on('error', () => socket.destroy());
      }, 20);
      await expect(ended).rejects.toThrow(variable);
      clearInterval(watch);
      row.ran();
      expect(await api.whenEnded()).toBe(1);
      expect(hasListened).toBe(false);
      if (value !== '') expect(api.output.join('')).not.toContain(value);
    },
  );

  it('starts with good ones', async () => {
    await stack.api.start();
    expect(stack.api.isRunning()).toBe(true);
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ workers: 0, isStarted: false });
  });
});
