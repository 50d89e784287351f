import { createSendWebhook } from '@mailsweep/service-kit/guarded-calls';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type NotificationBench, openNotificationBench } from '../testing/notification-bench.ts';
import { respondWithStatuses, startWebhookReceiver } from '../testing/webhook-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const FORMER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const HOUR_MS = 3_600_000;

describe('the webhook of notifications', () => {
  test('is signed as docs/INTEGRATION.md says, with every secret of a rotation', async () => {
    const { receiver, deliver } = await openWorkflowService();
    await bench.alert('Your bill');
    await deliver();
    const [{ id } = { id: '' }] = await bench.readNotifications();
    expect(receiver.calls).toHaveLength(1);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.calls;
    expect(headers).toMatchObject({ 'webhook-id': id, 'content-type': 'application/json' });
    for (const secret of [SECRET, FORMER_SECRET]) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        type: 'notification.alert',
        data: { userId: bench.userId, detail: { content: { emails: [{ subject: 'Your bill' }] } } },
      });
    }
    const other = new Webhook(Buffer.alloc(32, 9).toString('base64'));
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow();
    expect(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  test.each([
    [500, 503],
    [404, 401],
  ])(
    'is repeated after a %i and a %i, with the same id and body, until it is taken',
    async (first, second) => {
      const { receiver, deliver } = await openWorkflowService({ statuses: [first, second, 202] });
      await bench.alert('Your bill');
      for (const waitS of [6, 360, 0]) {
        await deliver();
        bench.passTime(waitS * 1_000);
      }
      expect(receiver.calls).toHaveLength(3);
      expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(receiver.calls.map(({ body }) => body)).size).toBe(1);
      for (const { body, headers } of receiver.calls)
        new Webhook(SECRET).verify(body, headers as Record<string, string>);
      expect(await readStates()).toEqual(['sent']);
    },
  );

  test('is repeated as long as the webhook of domain events', async () => {
    const { receiver, deliver } = await openWorkflowService({ statuses: [500] });
    await bench.alert('Your bill');
    for (const hours of [0.002, 0.1, 0.6, 2.4, 6, 12, 12, 12, 12]) {
      await deliver();
      bench.passTime(hours * HOUR_MS);
    }
    expect(receiver.calls).toHaveLength(9);
    expect(await readStates()).toEqual(['dropped']);
  });

  test('is dropped after a 410, and the operator is told', async () => {
    const { receiver, deliver } = await openWorkflowService({ statuses: [410] });
    await bench.alert('Your bill');
    await deliver();
    bench.passTime(HOUR_MS);
    await deliver();
    expect(receiver.calls).toHaveLength(1);
    expect(await readStates()).toEqual(['dropped']);
    expect(bench.lines).toMatchObject([{ target: 'webhook', status: 410 }]);
  });

  test('calls no private address unless the operator allows that', async () => {
    const { receiver, deliver } = await openWorkflowService({ allowPrivate: false });
    await bench.alert('Your bill');
    await deliver();
    expect(receiver.calls).toEqual([]);
    expect(await readStates()).toEqual(['pending']);
  });
});

/** A workflow service behind the real call, and a process that sends notifications there. */
const openWorkflowService = async ({ statuses = [200], allowPrivate = true } = {}) => {
  const receiver = await startWebhookReceiver(respondWithStatuses(...statuses));
  onTestFinished(() => receiver.close());
  const signingSecrets = [SECRET, FORMER_SECRET];
  const sendWebhook = createSendWebhook({ url: receiver.url, signingSecrets, policy: { allowPrivate } });
  const { deliver } = bench.openProcess({ sendWebhook });
  return {
    receiver,
    /** Sends what is due, if anything is. */
    deliver: async () => {
      const work = await bench.claim();
      if (work !== null) await deliver(work);
    },
  };
};

const readStates = async () => (await bench.readNotifications()).map(({ state }) => state);

let bench: NotificationBench;
beforeEach(async () => {
  bench = await openNotificationBench();
  await bench.change({ alert: { push: false, webhook: true } });
});
afterEach(() => bench.close());
