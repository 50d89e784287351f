import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type NotificationBench, openNotificationBench } from '../testing/notification-bench.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NIGHT = { from: '22:00', to: '07:00' };
const BERLIN = 'Europe/Berlin';
const FROM = 'Power Company <bills@power.example>';

let bench: NotificationBench;
beforeEach(async () => {
  bench = await openNotificationBench();
  await bench.change({ alert: { push: true } });
});
afterEach(() => bench.close());

const shownIn = (browser: string) => bench.pushService.shown(browser).map(({ detail }) => detail);
const expireLeases = () =>
  bench.query(
    `UPDATE "Notification" SET "leasedUntil" = now() - interval '1 s' WHERE "leasedUntil" IS NOT NULL`,
  );
const readStates = async () => (await bench.readNotifications()).map(({ state }) => state);

describe('an alert', () => {
  test('arrives encrypted and signed in every browser, with sender and subject, and opens the email', async () => {
    await bench.subscribe('laptop');
    await bench.subscribe('phone', 'de');
    await bench.alert('Your bill');
    await bench.send();

    const detail = { kind: 'alert', content: { count: 1, emails: [{ from: FROM, subject: 'Your bill' }] } };
    expect(bench.pushService.received).toHaveLength(2);
    for (const [browser, language] of [
      ['laptop', 'en'],
      ['phone', 'de'],
    ] as const) {
      expect(bench.pushService.shown(browser)).toMatchObject([
        { path: '/inbox?email=id-Your-bill', language, detail },
      ]);
    }
    const headers = bench.pushService.received[0]?.headers;
    expect(headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(headers?.topic).toMatch(/^[0-9a-f]{32}$/);
    expect(await bench.readNotifications()).toMatchObject([{ state: 'sent', encryptedContent: null }]);
  });

  test('comes once for an email, however often it is found', async () => {
    await bench.subscribe('laptop');
    expect(await bench.alert('Your bill', 'Other')).toBe(2);
    await bench.send();
    expect(await bench.alert('Your bill', 'Third')).toBe(1);
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(3);
  });

  test.each([
    [3, 3, '/inbox?email=id-Bill-1'],
    [4, 1, '/inbox'],
  ])('is one of %i at once that are told in %i messages', async (alerts, messages, path) => {
    await bench.subscribe('laptop');
    await bench.alert(...Array.from({ length: alerts }, (_, index) => `Bill ${index + 1}`));
    await bench.send();
    expect(bench.pushService.shown('laptop')).toHaveLength(messages);
    expect(bench.pushService.shown('laptop')[0]).toMatchObject({
      path,
      detail: { content: { count: messages === 1 ? alerts : 1, emails: expect.any(Array) } },
    });
    expect(new Set(await readStates())).toEqual(new Set(['sent']));
  });

  test('has no content where the user wants none', async () => {
    await bench.subscribe('laptop');
    await bench.change({ content: 'none' });
    await bench.alert('Your bill');
    await bench.send();
    expect(shownIn('laptop')).toEqual([{ kind: 'alert', content: null }]);
  });

  test('of a very long email fits into a message', async () => {
    await bench.subscribe('laptop');
    await bench.alert(...Array.from({ length: 5 }, (_, index) => `${index}${'👩‍👩‍👧‍👦'.repeat(500)}`));
    await bench.send();
    expect(shownIn('laptop')).toMatchObject([{ content: { count: 5 } }]);
  });

  test('is stored encrypted', async () => {
    await bench.alert('Your bill');
    await bench.subscribe('laptop');
    const stored = JSON.stringify([
      await bench.readNotifications(),
      await bench.database.pushSubscription.findMany(),
    ]);
    expect(stored).not.toMatch(/power|Your bill"|127\.0\.0\.1|p256dh/);
  });

  test('is not sent to a user who wants none any more', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Your bill');
    await bench.change({ alert: { push: false } });
    await bench.send();
    expect(await bench.alert('Other')).toBe(0);
    expect(bench.pushService.received).toEqual([]);
    expect(await readStates()).toEqual(['dropped']);
  });
});

describe('quiet hours', () => {
  beforeEach(async () => {
    await bench.subscribe('laptop');
    await bench.change({ quietHours: NIGHT });
  });

  test('hold alerts until they end, then tell them together', async () => {
    bench.setNow('2026-02-01T22:30:00Z');
    await bench.alert('First');
    bench.setNow('2026-02-02T01:00:00Z');
    await bench.alert('Second');
    bench.setNow('2026-02-02T05:59:00Z');
    await bench.send();
    expect(bench.pushService.received).toEqual([]);

    bench.setNow('2026-02-02T06:00:00Z');
    await bench.send();
    expect(shownIn('laptop')).toMatchObject([
      { content: { count: 2, emails: [{ subject: 'First' }, { subject: 'Second' }] } },
    ]);
  });

  test('hold what could not be sent before', async () => {
    bench.setNow('2026-02-01T20:59:00Z');
    await bench.alert('Late');
    bench.setNow('2026-02-01T21:00:00Z');
    await bench.send();
    expect(bench.pushService.received).toEqual([]);
    bench.setNow('2026-02-02T06:00:00Z');
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });

  test('hold what would be sent in the last second before them', async () => {
    await bench.subscribe('laptop');
    await bench.change({ quietHours: { from: '22:00', to: '07:00' } });
    bench.setNow('2026-02-01T20:59:59.500Z');
    await bench.alert('Your bill');
    await bench.send();
    expect(bench.pushService.received).toEqual([]);
    bench.setNow('2026-02-02T06:00:00Z');
    await bench.send();
    expect(bench.pushService.received).toHaveLength(1);
  });

  test('end what a push service keeps for a browser that is off', async () => {
    bench.setNow('2026-02-01T20:00:00Z');
    await bench.alert('Late');
    await bench.send();
    expect(bench.pushService.received[0]?.headers.ttl).toBe('3600');
  });

  test('apply by the wall clock in the night that is an hour longer', async () => {
    bench.setNow('2026-10-25T00:30:00Z');
    await bench.alert('Night');
    bench.setNow('2026-10-25T05:59:00Z');
    await bench.send();
    expect(bench.pushService.received).toEqual([]);
    bench.setNow('2026-10-25T06:00:00Z');
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });

  test.each([
    ['switched off', { quietHours: null }, BERLIN],
    ['ended earlier', { quietHours: { from: '22:00', to: '00:30' } }, BERLIN],
    ['those of another time zone', {}, 'Asia/Tokyo'],
  ])('let go of what they held when they are %s', async (_name, change, timeZone) => {
    bench.setNow('2026-02-01T23:30:00Z');
    await bench.alert('First');
    await bench.alert('Second');
    await bench.send();
    expect(bench.pushService.received).toEqual([]);
    await bench.change(change, timeZone);
    await bench.send();
    expect(shownIn('laptop')).toMatchObject([{ content: { count: 2 } }]);
  });

  test('that are made longer hold longer', async () => {
    bench.setNow('2026-02-01T22:30:00Z');
    await bench.alert('First');
    await bench.change({ quietHours: { from: '22:00', to: '09:00' } });
    bench.setNow('2026-02-02T07:59:00Z');
    expect(await bench.claim()).toEqual([]);
    bench.setNow('2026-02-02T08:00:00Z');
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });

  test('do not hold the test that the user asks for', async () => {
    bench.setNow('2026-02-01T22:30:00Z');
    await bench.subscriptions.sendTestNotification(bench.userId);
    await bench.send();
    expect(shownIn('laptop')).toEqual([{ kind: 'test', content: {} }]);
  });
});

describe('a digest', () => {
  beforeEach(async () => {
    await bench.subscribe('laptop');
    await bench.change({ digest: { every: 'daily', push: true, hour: 8 } });
    await setDue('2026-02-01T12:00:00Z', '2026-02-02T07:00:00Z');
  });
  const setDue = (since: string, due: string) =>
    bench.query('UPDATE "UserPreferences" SET "digestSince" = $1, "digestDueAt" = $2', [since, due]);
  const insertRecord = (emailId: string, timestamp: string, source: string) =>
    bench.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
       VALUES (gen_random_uuid(), $1, $2, 'archive', $3, $4, gen_random_uuid())`,
      [
        bench.userId,
        emailId,
        timestamp,
        { source, gmailResponse: { status: 'ok' }, suggestions: [], labelIds: [] },
      ],
    );

  test('tells what happened since the one before, once, when its hour has come', async () => {
    await insertRecord('before', '2026-02-01T11:00:00Z', 'inbox');
    await insertRecord('one', '2026-02-01T13:00:00Z', 'inbox');
    await insertRecord('two', '2026-02-01T14:00:00Z', 'rule');
    bench.setNow('2026-02-02T06:59:00Z');
    expect(await bench.takeDigest()).toBeNull();
    bench.setNow('2026-02-02T07:00:00Z');
    expect(await bench.takeDigest()).toMatchObject({ isRecorded: true });
    expect(await bench.takeDigest()).toBeNull();
    await bench.send();

    expect(bench.pushService.shown('laptop')).toMatchObject([
      {
        path: '/suggestions',
        detail: { kind: 'digest', content: { arrived: 0, cleaned: 1, byRules: 1, waiting: 0 } },
      },
    ]);
    const { digestDueAt } = await bench.database.userPreferences.findFirstOrThrow();
    expect(digestDueAt?.toISOString()).toBe('2026-02-03T07:00:00.000Z');
  });

  test('is not sent when there is nothing to say', async () => {
    bench.setNow('2026-02-02T07:00:00Z');
    expect(await bench.takeDigest()).toMatchObject({ isRecorded: false });
    await bench.send();
    expect(bench.pushService.received).toEqual([]);
  });

  test('comes once on a local date, whatever happens to hour, time zone and clock', async () => {
    await insertRecord('one', '2026-02-01T13:00:00Z', 'inbox');
    bench.setNow('2026-02-02T07:00:00Z');
    await bench.takeDigest();
    await insertRecord('two', '2026-02-02T07:30:00Z', 'inbox');
    await setDue('2026-02-02T07:00:00Z', '2026-02-02T08:00:00Z');
    bench.setNow('2026-02-02T08:00:00Z');
    expect(await bench.takeDigest()).toMatchObject({ isRecorded: false });

    // What it would have told is in the next one.
    bench.setNow('2026-02-03T07:00:00Z');
    expect(await bench.takeDigest()).toMatchObject({ isRecorded: true });
    await bench.send();
    expect(shownIn('laptop').map(({ content }) => content)).toMatchObject([{ cleaned: 1 }, { cleaned: 1 }]);
  });

  test.each([
    ['an hour that has passed', { hour: 7 }, BERLIN, '2026-02-02T06:30:00.000Z'],
    ['an hour to come', { hour: 10 }, BERLIN, '2026-02-02T09:00:00.000Z'],
    ['another day', { hour: 7, weekday: 2 }, BERLIN, '2026-02-03T06:00:00.000Z'],
    ['every day', { every: 'daily', hour: 7 }, BERLIN, '2026-02-02T06:30:00.000Z'],
    ['a zone where its hour has passed', {}, 'Asia/Tokyo', '2026-02-02T06:30:00.000Z'],
    ['a zone where it is Sunday', {}, 'America/Los_Angeles', '2026-02-02T16:00:00.000Z'],
  ] as const)('of a week is not skipped when its user chooses %s', async (_name, digest, zone, expected) => {
    bench.setNow('2026-02-01T12:00:00Z');
    await bench.change({ digest: { every: 'weekly', weekday: 1, hour: 8 } });
    bench.setNow('2026-02-02T06:30:00Z');
    await bench.change({ digest }, zone);
    const { digestDueAt } = await bench.database.userPreferences.findFirstOrThrow();
    expect(digestDueAt?.toISOString()).toBe(expected);
  });

  test('that was sent does not come again when its user chooses an earlier hour', async () => {
    await insertRecord('one', '2026-02-01T13:00:00Z', 'inbox');
    bench.setNow('2026-02-02T07:00:00Z');
    await bench.takeDigest();
    await bench.change({ digest: { hour: 6 } });
    expect(await bench.takeDigest()).toBeNull();
  });

  test('is recorded once when many workers look at the same time', async () => {
    await insertRecord('one', '2026-02-01T13:00:00Z', 'inbox');
    bench.setNow('2026-02-02T07:00:00Z');
    const taken = await Promise.all(Array.from({ length: 6 }, () => bench.takeDigest()));
    expect(taken.filter((digest) => digest?.isRecorded)).toHaveLength(1);
  });

  test('waits for the end of quiet hours', async () => {
    await bench.change({ quietHours: { from: '20:00', to: '09:30' } });
    await insertRecord('one', '2026-02-01T13:00:00Z', 'inbox');
    bench.setNow('2026-02-02T07:00:00Z');
    await bench.takeDigest();
    await bench.send();
    expect(bench.pushService.received).toEqual([]);
    bench.setNow('2026-02-02T08:30:00Z');
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });
});

describe('what needs the user’s attention', () => {
  test('is told once for each occurrence', async () => {
    await bench.subscribe('laptop');
    await bench.change({ attention: { push: true } });
    expect(await bench.attention('rule-1:paused-1')).toBe(true);
    expect(await bench.attention('rule-1:paused-1')).toBe(false);
    expect(await bench.attention('rule-1:paused-2')).toBe(true);
    await bench.send();
    expect(bench.pushService.shown('laptop').map(({ path }) => path)).toEqual(['/rules', '/rules']);
    expect(shownIn('laptop')).toEqual(
      Array.from({ length: 2 }, () => ({
        kind: 'attention',
        content: { reason: 'rule_paused', name: 'Bills' },
      })),
    );
  });

  test('is not recorded for users who do not want to be told', async () => {
    expect(await bench.attention('rule-1:paused-1')).toBe(false);
    expect(await bench.readNotifications()).toEqual([]);
  });
});

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
    for (let attempt = 0; attempt < 11; attempt += 1) {
      bench.passTime(HOUR_MS);
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
    for (let attempt = 0; attempt < 11; attempt += 1) {
      await bench.send();
      bench.passTime(HOUR_MS);
    }
    expect(await readStates()).toEqual(['dropped']);
    expect(bench.pushService.received).toHaveLength(11);
  });

  test('at a private address is not called, unless the operator allows that', async () => {
    await bench.subscribe('inside');
    await bench.alert('Your bill');
    await bench.openProcess({ allowPrivateAddresses: false }).deliver(await bench.claim());
    expect(bench.pushService.received).toEqual([]);
    expect(await bench.database.pushSubscription.count()).toBe(0);
    expect(await readStates()).toEqual(['dropped']);
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

describe('the workflow service', () => {
  test('gets a notification once where the user chose that, under its own type', async () => {
    await bench.change({ alert: { push: false, webhook: true } });
    await bench.alert('Your bill');
    await bench.send();
    const [{ id } = { id: '' }] = await bench.readNotifications();
    expect(bench.calls).toEqual([
      {
        id,
        body: {
          type: 'notification.alert',
          timestamp: '2026-02-01T12:00:00.000Z',
          data: {
            userId: bench.userId,
            path: '/inbox?email=id-Your-bill',
            detail: { kind: 'alert', content: { count: 1, emails: [{ from: FROM, subject: 'Your bill' }] } },
          },
        },
      },
    ]);
  });

  test('that fails is called again, under the same id, and browsers are not', async () => {
    await bench.subscribe('laptop');
    await bench.change({ alert: { webhook: true } });
    bench.setWebhookResult({ outcome: 'retry', retryAfterMs: undefined });
    await bench.alert('Your bill');
    await bench.send();
    bench.setWebhookResult({ outcome: 'accepted' });
    bench.passTime(MINUTE_MS);
    await bench.send();
    expect(new Set(bench.calls.map(({ id }) => id)).size).toBe(1);
    expect(bench.calls).toHaveLength(2);
    expect(bench.pushService.received).toHaveLength(1);
  });
});

describe('many workers', () => {
  test('send each notification once, and bundle those of a user', async () => {
    await bench.subscribe('laptop');
    await bench.alert(...Array.from({ length: 5 }, (_, index) => `Bill ${index}`));
    const claims = await Promise.all(Array.from({ length: 8 }, () => bench.claim()));
    const claimed = claims.filter((rows) => rows.length > 0);
    expect(claimed.map((rows) => rows.length)).toEqual([5]);
    await Promise.all(claims.map((rows) => bench.openProcess().deliver(rows)));
    expect(bench.pushService.received).toHaveLength(1);
  });

  test('tell the same again when one of them dies, with what came meanwhile apart from it', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Bill 1', 'Bill 2', 'Bill 3', 'Bill 4');
    const claimed = await bench.claim();
    const [seen] = claimed;
    // It has sent the message, and can't note that any more.
    bench.pushService.onMessage(async (response) => {
      await bench.query(`UPDATE "Notification" SET "runId" = gen_random_uuid()`);
      response.writeHead(201).end();
    });
    expect(await bench.openProcess().deliver(claimed)).toMatchObject([{ outcome: 'taken_over', count: 4 }]);
    expect(bench.pushService.received).toHaveLength(1);
    expect(new Set(await readStates())).toEqual(new Set(['pending']));

    bench.pushService.onMessage((response) => response.writeHead(201).end());
    await bench.alert('Bill 5');
    await expireLeases();
    await bench.send();
    const shown = bench.pushService.shown('laptop');
    expect(shown.map(({ detail }) => detail)).toMatchObject([
      { content: { count: 4 } },
      { content: { count: 1 } },
    ]);
    expect(shown[0]?.tag).toBe(seen?.id);
    expect(bench.pushService.received).toHaveLength(3);
  });

  test('send a message once, though the messages before it outlast the lease', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Bill 1', 'Bill 2', 'Bill 3');
    const leftAt: number[] = [];
    bench.pushService.onMessage(async (response) => {
      const [, , last] = await bench.readNotifications();
      leftAt.push((last?.leasedUntil?.getTime() ?? 0) - Date.now());
      // As if the message before it had taken most of the lease.
      await bench.query(`UPDATE "Notification" SET "leasedUntil" = now() + interval '5 s' WHERE "state" = 'pending'`);
      expect(await bench.claim()).toEqual([]);
      response.writeHead(201).end();
    });
    await bench.openProcess().deliver(await bench.claim());
    expect(await readStates()).toEqual(['sent', 'sent', 'sent']);
    expect(leftAt).toHaveLength(3);
    expect(Math.min(...leftAt)).toBeGreaterThan(60_000);
  });

  test('leave the rest to the one that took over', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Bill 1', 'Bill 2', 'Bill 3');
    const other = bench.openProcess();
    bench.pushService.onMessage(async (response) => {
      bench.pushService.onMessage((next) => next.writeHead(201).end());
      await expireLeases();
      await other.deliver(await bench.claim());
      response.writeHead(201).end();
    });
    expect(await bench.openProcess().deliver(await bench.claim())).toMatchObject([
      { outcome: 'taken_over' },
      { outcome: 'taken_over' },
      { outcome: 'taken_over' },
    ]);
    expect(await readStates()).toEqual(['sent', 'sent', 'sent']);
    // The one in flight was sent by both, and the browser shows it once.
    expect(bench.pushService.received).toHaveLength(4);
    expect(shownIn('laptop')).toHaveLength(3);
  });

  test('send nothing to a user who was erased meanwhile', async () => {
    await bench.subscribe('laptop');
    await bench.change({ alert: { webhook: true } });
    await bench.alert('Bill 1', 'Bill 2');
    const claimed = await bench.claim();
    bench.pushService.onMessage(async (response) => {
      await bench.database.user.delete({ where: { id: bench.userId } });
      response.writeHead(201).end();
    });
    await bench.openProcess().deliver(claimed);
    await bench.openProcess().deliver(claimed);
    expect(bench.pushService.received).toHaveLength(1);
    expect(bench.calls).toHaveLength(1);
  });

  test('leave what is not sent to others when they stop', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Your bill');
    const { deliver, stopping } = bench.openProcess();
    stopping.abort();
    await deliver(await bench.claim());
    expect(bench.pushService.received).toEqual([]);
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });
});
