import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { machineSlackMs, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

/** Longest time that an item is tried again, in milliseconds. */
const RETRIED_FOR_MS = 20_000;
/** More often than anything is tried. */
const ALWAYS = 10_000;

const row = openRow('R21');

describe('R21 Gmail responds', () => {
  it('401 once: one refresh, and success', async () => {
    await stack.google.fail({ kind: 'unauthorized' });
    expect(await archive('mail-1')).toMatchObject({ status: 200, body: { execution: 'full' } });
    expect(await countCalls((call) => call.path.endsWith('/token'))).toBe(1);
  });

  it('401 always: the user has to sign in again', async () => {
    await stack.google.fail({ kind: 'unauthorized', times: ALWAYS });
    const list = await ada.ask('/api/v1/emails');
    expect(list).toMatchObject({ status: 401, body: { code: 'reauth_required' } });
    row.responded(list.tookMs);
  });

  it.each(['rate_limited_403', 'rate_limited_429', 'server_error', 'unavailable'] as const)(
    '%s twice: the item is tried again, and succeeds',
    async (kind) => {
      await stack.google.fail({ kind, times: 2 });
      const response = await archive('mail-2');
      expect(response).toMatchObject({ status: 200, body: { execution: 'full' } });
      expect(response.tookMs).toBeLessThan(RETRIED_FOR_MS + machineSlackMs());
    },
  );

  it('429 with Retry-After: it is not asked again before', async () => {
    await stack.google.fail({ kind: 'rate_limited_429', retryAfterSeconds: 2 });
    const response = await archive('mail-3');
    expect(response).toMatchObject({ status: 200, body: { execution: 'full' } });
    expect(response.tookMs).toBeGreaterThanOrEqual(2_000);
  });

  it.each([
    ['rate_limited_429', 'rate_limited'],
    ['unavailable', 'mailbox_unavailable'],
  ] as const)('%s always: the item says why, in time', async (kind, reason) => {
    await stack.google.fail({ kind, times: ALWAYS });
    const response = await archive('mail-4');
    expect(response).toMatchObject({
      status: 200,
      body: { execution: 'none', results: [{ emailId: 'mail-4', status: 'error', reason }] },
    });
    expect(response.tookMs).toBeLessThan(RETRIED_FOR_MS + machineSlackMs());
  });

  it('403 for want of a scope: nothing is tried again', async () => {
    await stack.google.fail({ kind: 'insufficient_scope', times: ALWAYS });
    expect(await archive('mail-5')).toMatchObject({
      status: 200,
      body: { execution: 'none', results: [{ status: 'error', reason: 'missing_scope' }] },
    });
    expect(await countCalls((call) => call.status === 403)).toBe(1);
  });

  const archive = async (id: string) => {
    const response = await ada.ask('/api/v1/inbox/actions', { json: { emailIds: [id], action: 'archive' } });
    row.responded(response.tookMs);
    return response;
  };
  const countCalls = async (isMeant: (call: { path: string; status: unknown }) => boolean) =>
    (await stack.google.listCalls()).filter(isMeant).length;

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({ workers: 0, mail: { [ADA]: mails(5) } });
  });
  beforeEach(async () => {
    explainFailure(stack);
    await stack.google.heal();
    // A connection that was found dead is alive again.
    ada = await stack.signIn();
    await stack.google.forgetCalls();
    row.ran();
  });
});
