import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type NotificationBench, openNotificationBench } from '../testing/notification-bench.ts';

const HOUR_MS = 3_600_000;

let bench: NotificationBench;
beforeEach(async () => {
  bench = await openNotificationBench();
  await bench.change({ alert: { push: true } });
});
afterEach(() => bench.close());

const shownIn = (browser: string) => bench.pushService.shown(browser).map(({ detail }) => detail);
const readStates = async () => (await bench.readNotifications()).map(({ state }) => state);

describe('a push service', () => {
  test.each([404, 410])('that responds with %i has the subscription removed', async (status) => {
    const { id } = await bench.subscribe('gone');
    await bench.subscribe('laptop');
    bench.pushService.onMessage((response, browser) =>
      response.writeHead(browser === 'gone' ? status : 201).end(),
    );
    await bench.alert('Your bill');
    await bench.send();
    expect(await bench.database.pushSubscription.findMany()).toMatchObject([
      { id: expect.not.stringMatching(id) },
    ]);
    expect(await readStates()).toEqual(['sent']);
  });

  // Such as a size that is too large, or keys that were changed since the browser subscribed.
  test.each([400, 401, 403, 413])(
    'that refuses with %i is not asked again, and the operator is told',
    async (status) => {
      const { id } = await bench.subscribe('laptop');
      bench.pushService.onMessage((response) => response.writeHead(status).end());
      await bench.alert('Your bill');
      await bench.send();
      bench.passTime(HOUR_MS);
      await bench.send();
      expect(bench.pushService.received).toHaveLength(1);
      expect(await readStates()).toEqual(['dropped']);
      expect(await bench.database.pushSubscription.count()).toBe(1);
      expect(bench.lines).toMatchObject([{ target: id, kind: 'alert', status }]);
    },
  );

  test.each([406, 429])(
    'that asks to wait with %i gets the message when it is ready for it',
    async (status) => {
      await bench.subscribe('laptop');
      bench.pushService.onMessage((response) => response.writeHead(status, { 'retry-after': '600' }).end());
      await bench.alert('Your bill');
      await bench.send();
      bench.pushService.onMessage((response) => response.writeHead(201).end());
      bench.passTime(599_000);
      await bench.send();
      expect(bench.pushService.received).toHaveLength(1);
      bench.passTime(1_000);
      await bench.send();
      expect(await readStates()).toEqual(['sent']);
    },
  );

  test('of a browser whose key is none holds up no other browser, nor other notifications', async () => {
    const { id } = await bench.subscribe('broken');
    const { endpoint, keys } = bench.pushService.subscribe('broken');
    const stored = { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } };
    await bench.database.pushSubscription.update({
      where: { id },
      data: { encryptedSubscription: bench.cipher.encrypt(JSON.stringify(stored), id) },
    });
    await bench.subscribe('laptop');
    await bench.alert('Your bill', 'Other');
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(2);
    for (let attempt = 0; attempt < 9; attempt += 1) {
      bench.passTime(12 * HOUR_MS);
      await bench.send();
    }
    expect(await readStates()).toEqual(['sent', 'sent']);
    expect(bench.pushService.received).toHaveLength(2);
  });

  test('gets one token for the messages of some hours', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Your bill', 'Other');
    await bench.send();
    const tokens = bench.pushService.received.map(({ headers }) => headers.authorization);
    expect(tokens).toHaveLength(2);
    expect(new Set(tokens).size).toBe(1);
  });

  test('that fails gets the message again later, and who has it does not', async () => {
    await bench.subscribe('laptop');
    await bench.subscribe('phone');
    bench.pushService.onMessage((response, browser) =>
      response.writeHead(browser === 'phone' ? 503 : 201, { 'retry-after': '120' }).end(),
    );
    await bench.alert('Your bill');
    await bench.send();
    expect(await readStates()).toEqual(['pending']);
    bench.pushService.onMessage((response) => response.writeHead(201).end());
    bench.passTime(119_000);
    await bench.send();
    expect(bench.pushService.received).toHaveLength(2);
    bench.passTime(1_000);
    await bench.send();

    expect(bench.pushService.received.map(({ browser }) => browser).toSorted()).toEqual([
      'laptop',
      'phone',
      'phone',
    ]);
    expect(await readStates()).toEqual(['sent']);
  });

  test('that never recovers is given up', async () => {
    await bench.subscribe('laptop');
    bench.pushService.onMessage((response) => response.writeHead(500).end());
    await bench.alert('Your bill');
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await bench.send();
      bench.passTime(12 * HOUR_MS);
    }
    expect(await readStates()).toEqual(['dropped']);
    expect(bench.pushService.received).toHaveLength(9);
  });

  test('at a private address is not called, unless the operator allows that', async () => {
    await bench.subscribe('inside');
    await bench.alert('Your bill');
    await bench.openProcess({ allowPrivateAddresses: false }).deliver(await bench.claimDue());
    expect(bench.pushService.received).toEqual([]);
    expect(await bench.database.pushSubscription.count()).toBe(0);
    expect(await readStates()).toEqual(['dropped']);
  });

  test('whose name leads to a private address is not called, either', async () => {
    const { endpoint, ...browser } = bench.pushService.subscribe('inside');
    const named = endpoint.replace('127.0.0.1', 'localhost');
    await bench.subscriptions.subscribe(bench.session, { ...browser, endpoint: named }, null);
    await bench.alert('Your bill');
    await bench.openProcess({ allowPrivateAddresses: false }).deliver(await bench.claimDue());
    expect(bench.pushService.received).toEqual([]);
    expect(await bench.database.pushSubscription.count()).toBe(0);
  });

  test('that breaks the connection gets the message again later', async () => {
    await bench.subscribe('laptop');
    bench.pushService.onMessage((response) => response.destroy());
    await bench.alert('Your bill');
    await bench.send();
    expect(await readStates()).toEqual(['pending']);
    bench.pushService.onMessage((response) => response.writeHead(201).end());
    bench.passTime(6_000);
    await bench.send();
    expect(await readStates()).toEqual(['sent']);
  });

  test('says with a date when to try again', async () => {
    await bench.subscribe('laptop');
    bench.pushService.onMessage((response) =>
      response.writeHead(429, { 'retry-after': new Date(Date.now() + 2 * HOUR_MS).toUTCString() }).end(),
    );
    await bench.alert('Your bill');
    await bench.send();
    bench.pushService.onMessage((response) => response.writeHead(201).end());
    bench.passTime(2 * HOUR_MS - 60_000);
    await bench.send();
    expect(bench.pushService.received).toHaveLength(1);
    bench.passTime(60_000);
    await bench.send();
    expect(await readStates()).toEqual(['sent']);
  });

  test.each([404, 410])('ends with %i no subscription that belongs to another user now', async (status) => {
    const other = randomUUID();
    await bench.database.user.create({
      data: { id: other, providerSubject: other, email: 'bo@example.com' },
    });
    await bench.subscribe('laptop');
    bench.pushService.onMessage(async (response) => {
      await bench.query('UPDATE "PushSubscription" SET "userId" = $1', [other]);
      response.writeHead(status).end();
    });
    await bench.alert('Your bill');
    await bench.send();
    expect(await bench.database.pushSubscription.findMany()).toMatchObject([{ userId: other }]);
  });

  test('does not lead elsewhere', async () => {
    await bench.subscribe('laptop');
    bench.pushService.onMessage((response) =>
      response.writeHead(307, { location: 'https://127.0.0.1:1/' }).end(),
    );
    await bench.alert('Your bill');
    await bench.send();
    expect(await readStates()).toEqual(['dropped']);
  });

  test('leaves no content and no address in the log', async () => {
    await bench.subscribe('laptop');
    bench.pushService.onMessage((response) => response.writeHead(410).end());
    await bench.alert('Secret subject');
    await bench.send();
    expect(bench.lines).toHaveLength(1);
    expect(JSON.stringify(bench.lines)).not.toMatch(/Secret|power|127\.0\.0\.1/);
  });
});
