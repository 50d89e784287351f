import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type NotificationBench, openNotificationBench } from '../testing/notification-bench.ts';

const MINUTE_MS = 60_000;
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
    expect(await bench.claim()).toBeNull();
    bench.setNow('2026-02-02T08:00:00Z');
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });

  test('do not hold the test that the user asks for', async () => {
    bench.setNow('2026-02-01T22:30:00Z');
    await bench.subscriptions.sendTest(bench.userId);
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
  const insertRecord = (emailId: string, timestamp: string, source: string, userId: string = bench.userId) =>
    bench.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
       VALUES (gen_random_uuid(), $1, $2, 'archive', $3, $4, gen_random_uuid())`,
      [
        userId,
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
    expect(await bench.takeDigest()).toBe(true);
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
    expect(await bench.takeDigest()).toBe(false);
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
    expect(await bench.takeDigest()).toBe(false);

    // What it would have told is in the next one.
    bench.setNow('2026-02-03T07:00:00Z');
    expect(await bench.takeDigest()).toBe(true);
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
    expect(taken.filter((isRecorded) => isRecorded)).toHaveLength(1);
  });

  test('of an owner is one, of the first mailbox, and tells of all', async () => {
    const work = await bench.addMailbox('ada@work.example');
    await setDue('2026-02-01T12:00:00Z', '2026-02-02T07:00:00Z');
    await insertRecord('one', '2026-02-01T13:00:00Z', 'inbox');
    await insertRecord('two', '2026-02-01T14:00:00Z', 'inbox', work);
    bench.setNow('2026-02-02T07:00:00Z');

    const taken = [await bench.takeDigest(), await bench.takeDigest(), await bench.takeDigest()];
    await bench.send();

    expect(taken.toSorted()).toEqual([false, null, true]);
    expect(bench.pushService.shown('laptop')).toMatchObject([
      { path: '/m/1/suggestions', detail: { content: { cleaned: 2 } } },
    ]);
    expect(bench.pushService.shown('laptop')[0]).not.toHaveProperty('mailbox');
    const next = await bench.database.userPreferences.findMany({ select: { digestDueAt: true } });
    expect(next.map(({ digestDueAt }) => digestDueAt?.toISOString())).toEqual(
      Array.from({ length: 2 }, () => '2026-02-03T07:00:00.000Z'),
    );
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

  test('is told in the browsers of its owner, names the mailbox, and opens it', async () => {
    await bench.subscribe('laptop');
    await bench.change({ attention: { push: true } });
    const work = await bench.addMailbox('ada@work.example');
    await bench.attention('rule-1:paused-1', work);
    await bench.send();

    expect(bench.pushService.shown('laptop')).toMatchObject([
      { path: '/m/2/rules', mailbox: 'ada@work.example', detail: { kind: 'attention' } },
    ]);
  });

  test('is not recorded for users who do not want to be told', async () => {
    expect(await bench.attention('rule-1:paused-1')).toBe(false);
    expect(await bench.readNotifications()).toEqual([]);
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
