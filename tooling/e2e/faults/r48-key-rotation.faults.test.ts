import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { type ReceivedCall, signatureOf } from '@mailsweep/worker/testing/webhook-receiver';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from './harness/ask.ts';
import { startBalancer } from './harness/balancer.ts';
import { eventually, openRow, retriesUnderLoad } from './harness/campaign.ts';
import { explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { createRejections } from './harness/many-users.ts';
import { ONE_CLIENT_FOR_MANY, startSteadyLoad } from './harness/steady-load.ts';

const USERS = ['ada@example.com', 'bob@example.com', 'cleo@example.com', 'dan@example.com'];
const EMAILS = 20;
const REQUESTS_PER_SECOND = 8;
/** Every so many-th request confirms something; the others read. */
const CONFIRM_EVERY = 4;
/** Cookies in use are signed again after a 24th of this: after 15 seconds. */
const SESSION_TTL_HOURS = '0.1';
const READS = ['/api/v1/emails', '/api/v1/me', '/api/v1/notifications/history'];
const ANOTHER_KEY = 'provider tokens were encrypted with another key';

const row = openRow('R48');

describe('R48 keys are rotated under load, as the operations guide says', () => {
  it('no request fails, nobody is signed out, and each webhook call can be verified', {
    retry: retriesUnderLoad(),
  }, async () => {
    explainFailure(stack);
    const { TOKEN_ENCRYPTION_KEY: oldKey, WEBHOOK_SIGNING_SECRET: oldSecret } = stack.secrets;
    const newKey = randomBytes(32).toString('base64');
    const newSecret = `whsec_${randomBytes(32).toString('base64')}`;
    const balancer = await startBalancer(stack.apis);
    const users: User[] = [];
    for (const email of USERS) users.push(await stack.signIn(email));
    const cookies = new Map(users.map(({ userId, cookie }) => [userId, cookie]));
    const rejections = createRejections({ stack, users });
    let reads = 0;
    const load = startSteadyLoad({
      requestsPerSecond: REQUESTS_PER_SECOND,
      send: async (number) => {
        if (number % CONFIRM_EVERY === 0) {
          return rejections.reject(({ userId }, path, json) =>
            balancer.ask(path, { cookie: cookies.get(userId) ?? '', json }),
          );
        }
        reads += 1;
        const path = READS[reads % READS.length] ?? '';
        const { userId } = users[Math.floor(reads / READS.length) % users.length] as User;
        const reply = await balancer.ask(path, { cookie: cookies.get(userId) ?? '' });
        const renewed = sessionCookieOf(reply);
        if (renewed && issuedAtMs(renewed) > issuedAtMs(cookies.get(userId) ?? ''))
          cookies.set(userId, renewed);
        return reply;
      },
    });
    /** Restarts all processes, one after the other. */
    const restartWith = async (keys: Record<string, string>) => {
      for (const member of stack.members) {
        await member.stop();
        await member.start(keys);
        if (stack.apis.includes(member)) await eventually(() => expect(balancer.isReady(member)).toBe(true));
      }
      row.ran();
    };

    await restartWith({ TOKEN_ENCRYPTION_KEY_PREVIOUS: newKey });
    const swapped = {
      TOKEN_ENCRYPTION_KEY: newKey,
      TOKEN_ENCRYPTION_KEY_PREVIOUS: oldKey,
      WEBHOOK_SIGNING_SECRET: newSecret,
      WEBHOOK_SIGNING_SECRET_PREVIOUS: oldSecret,
    };
    await restartWith(swapped);
    const swappedMs = Date.now();
    await promisify(execFile)(process.execPath, ['apps/api/src/reencrypt.ts'], {
      env: { ...swapped, DATABASE_URL: stack.database.url },
    });
    await eventually(() => {
      for (const cookie of cookies.values()) expect(issuedAtMs(cookie)).toBeGreaterThan(swappedMs);
    }, 60_000);
    const signedWithBoth = await callWebhook();
    const logged = stack.readLogs().length;
    await restartWith({ TOKEN_ENCRYPTION_KEY: newKey, WEBHOOK_SIGNING_SECRET: newSecret });
    const signedWithNew = await callWebhook();

    const { replies, failures } = await load.stop();
    await balancer.close();
    for (const { tookMs } of replies) row.responded(tookMs);
    row.lost(failures.length);
    expect(failures).toEqual([]);
    expect(stack.readLogs().slice(logged).join('')).not.toContain(ANOTHER_KEY);
    // The grant and the cached emails can be read without the old key, and a cookie that it signed is worth nothing.
    for (const { userId, ask } of users) {
      const cookie = cookies.get(userId) ?? '';
      expect((await ask('/api/v1/emails', { cookie })).body.emails).toHaveLength(EMAILS);
      expect((await ask('/api/v1/me')).status).toBe(401);
    }
    expect(isSignedWith(signedWithBoth, oldSecret) && isSignedWith(signedWithBoth, newSecret)).toBe(true);
    expect(isSignedWith(signedWithNew, newSecret)).toBe(true);
    await stack.waitUntilFinished();
    await rejections.judge(row);
  });

  /** The session cookie that a response sets, as a request sends it. */
  const sessionCookieOf = ({ headers }: Reply): string | undefined =>
    headers['set-cookie']?.find((line) => line.startsWith('session_token='))?.split(';')[0];

  /** When a session's token was signed, in milliseconds. */
  const issuedAtMs = (cookie: string): number =>
    JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString()).iat * 1_000;

  const isSignedWith = (call: ReceivedCall, secret: string): boolean =>
    String(call.headers['webhook-signature']).split(' ').includes(signatureOf(call, secret));

  /** Has the workflow service called. */
  const callWebhook = async (): Promise<ReceivedCall> => {
    const [id] = await stack.publishEvents(1);
    return eventually(() => {
      const call = stack.webhook.calls.find((one) => one.id === id);
      if (call === undefined) throw new Error('not called yet');
      return call;
    });
  };

  let stack: FaultStack;
  // A second try begins with its own keys.
  beforeEach(async () => {
    const mail = Object.fromEntries(USERS.map((email) => [email, mails(EMAILS, email)]));
    stack = await startFaultStack({ apis: 2, apiEnv: { ...ONE_CLIENT_FOR_MANY, SESSION_TTL_HOURS }, mail });
  });
});
