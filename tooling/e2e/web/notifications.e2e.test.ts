/// <reference lib="dom" />
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PushMessage } from '@mailsweep/contracts';
import { openDatabase } from '@mailsweep/database';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import {
  createVapidConfig,
  PUSH_CERTIFICATE,
  type PushService,
  startPushService,
} from '@mailsweep/worker/testing/push-service';
import got from 'got';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason, type Visit } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = 'grace@example.com';
const ON_DEVICE = 'Notifications on this device';
const DELIVERY_MS = 60_000;
const SHOP = 'Corner Shop <news@corner-shop.example>';

describe.skipIf(!hasChromium)(`notifications in a browser${skipReason}`, () => {
  test('are switched on for this device, tested, and switched off', async () => {
    const { page } = visit;
    await page.getByText('Off. Your browser asks for permission when you switch it on.').waitFor();
    await toggle(page, ON_DEVICE);
    await page.getByText('On. Choose below what you want to be told.').waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await page.getByRole('button', { name: 'Send a test' }).click();
    await expect
      .poll(() => shown(), { timeout: DELIVERY_MS })
      .toMatchObject([{ path: '/settings', detail: { kind: 'test' } }]);
    await page.reload();
    await page.getByText('On. Choose below what you want to be told.').waitFor();
    await toggle(page, ON_DEVICE);
    await page.getByText('Off. Your browser asks for permission when you switch it on.').waitFor();
    expect(await read(page, '/push/subscriptions')).toMatchObject({ total: 0 });
  });

  test('tell of a new email that the watch finds, once, with a link to it', async () => {
    const { page } = visit;
    await toggle(page, ON_DEVICE);
    await page.getByText('On. Choose below what you want to be told.').waitFor();
    await toggle(page, 'Important email');
    await page.getByText(/^Switch on “Keep watching for new email” above/).waitFor();
    await toggle(page, 'Keep watching for new email');
    await expect
      .poll(() => read(page, '/watch'), { timeout: DELIVERY_MS })
      .toMatchObject({ lastRun: { newEmails: 0 } });

    const id = await deliver('Security Team <no-reply@accounts.example>', 'Security alert: new sign-in');
    await checkMailboxNow();
    await expect
      .poll(() => shown(), { timeout: DELIVERY_MS })
      .toMatchObject([
        {
          path: `/inbox?email=${id}`,
          detail: {
            kind: 'alert',
            content: { count: 1, emails: [{ subject: 'Security alert: new sign-in' }] },
          },
        },
      ]);
    await checkMailboxNow();
    await expect
      .poll(() => read(page, '/watch'), { timeout: DELIVERY_MS })
      .toMatchObject({ state: 'active', lastRun: { newEmails: 0 } });
    expect(pushService.received).toHaveLength(1);

    await page.goto(shown()[0]?.path ?? '');
    await page.getByRole('heading', { name: 'Security alert: new sign-in' }).waitFor();
  });

  test('tell in the digest what a rule did with new email, which undo takes back', async () => {
    const { page } = visit;
    await toggle(page, ON_DEVICE);
    await page.getByText('On. Choose below what you want to be told.').waitFor();
    await page.getByRole('radiogroup', { name: 'Digest' }).getByText('Daily').click();
    await toggle(page, 'Keep watching for new email');
    await expect
      .poll(() => read(page, '/watch'), { timeout: DELIVERY_MS })
      .toMatchObject({ lastRun: { newEmails: 0 } });

    await deliver(SHOP, 'Offers of this week');
    await checkMailboxNow();
    const readShop = async () =>
      (await read(page, '/senders?perPage=100')).data.find(({ from }: { from: string }) => from === SHOP);
    const shop = await readShop();
    expect(shop).toMatchObject({ mails: 1, inInbox: 1 });
    await post(page, '/rules', {
      condition: { type: 'sender', sender: shop.id },
      olderThan: 0,
      action: 'archive',
      enabled: true,
    });
    await deliver(SHOP, 'Offers of next week');
    await checkMailboxNow();
    const readRule = async () => (await read(page, '/rules')).data[0];
    await expect
      .poll(readRule, { timeout: DELIVERY_MS })
      .toMatchObject({ lastRun: { state: 'completed', actions: 2, undone: 0 } });
    expect(await readShop()).toMatchObject({ inInbox: 0 });

    await withDatabase(async (database) => {
      const hourAgo = new Date(Date.now() - 3_600_000);
      await database.userPreferences.updateMany({ data: { digestSince: hourAgo, digestDueAt: hourAgo } });
    });
    await expect
      .poll(() => shown(), { timeout: DELIVERY_MS })
      .toMatchObject([{ detail: { kind: 'digest', content: { byRules: 2 } } }]);

    await page.goto('/history?source=rule');
    await page.getByRole('button', { name: /^Undo/ }).first().click();
    await expect.poll(readRule, { timeout: DELIVERY_MS }).toMatchObject({
      enabled: false,
      pausedReason: 'undone',
      lastRun: { undone: 2 },
    });
    expect(await readShop()).toMatchObject({ inInbox: 2 });
  });

  test('go to the workflow service, too, where the user chose that', async () => {
    const { page } = visit;
    const alsoThere = page.getByRole('group', { name: 'Also send to the workflow service' });
    await alsoThere.getByRole('switch', { name: 'Important email' }).focus();
    await page.keyboard.press('Space');
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Least confidence' }).selectOption('0.6');
    await toggle(page, 'Keep watching for new email');
    await expect
      .poll(() => read(page, '/watch'), { timeout: DELIVERY_MS })
      .toMatchObject({ lastRun: { newEmails: 0 } });
    expect(await read(page, '/me/preferences')).toMatchObject({
      notifications: { alert: { webhook: true, push: false, minConfidence: 0.6 } },
    });

    await deliver('Security Team <no-reply@accounts.example>', 'Security alert: new sign-in');
    await checkMailboxNow();
    await expect
      .poll(() => got(`${web.stack.webhookInbox}/deliveries`).json(), { timeout: DELIVERY_MS })
      .toContainEqual(
        expect.objectContaining({
          signature: 'verified',
          body: expect.objectContaining({ type: 'notification.alert' }),
        }),
      );
    expect(shown()).toEqual([]);
  });

  test('keep what the user chose of digest and quiet hours', async () => {
    const { page } = visit;
    await page.getByRole('radiogroup', { name: 'Digest' }).getByText('Weekly').click();
    await page.getByRole('combobox', { name: 'Day of the digest' }).selectOption({ label: 'Friday' });
    await toggle(page, 'Quiet hours');
    await page.getByLabel('Quiet until').fill('06:30');
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await expect
      .poll(() => read(page, '/me/preferences'), { timeout: DELIVERY_MS })
      .toMatchObject({
        timeZone: 'Asia/Tokyo',
        notifications: {
          digest: { every: 'weekly', weekday: 5, push: true },
          quietHours: { from: '22:00', to: '06:30' },
        },
      });
    await page.reload();
    await expect
      .poll(() => page.getByLabel('Quiet until').inputValue(), { timeout: DELIVERY_MS })
      .toBe('06:30');
  });

  test('are shown by the service worker, and replaced by a message with the same tag', async () => {
    const { page } = visit;
    await page.evaluate(async () => await navigator.serviceWorker.ready);
    const [worker] = page.context().serviceWorkers();
    expect(await worker?.evaluate(() => Notification.permission)).toBe('granted');
    const push = await openPush(page);
    const pushAndRead = async () => {
      // Again with each look: a browser drops what comes before it has stored the service worker, and names no such moment.
      await push(TEST_MESSAGE);
      await push({ ...TEST_MESSAGE, language: 'de' });
      await push({ ...TEST_MESSAGE, tag: 'other' });
      return page.evaluate(async () => {
        const { getNotifications } = ServiceWorkerRegistration.prototype;
        const shownNow = await getNotifications.call(await navigator.serviceWorker.ready);
        return shownNow.map(({ tag, body, data }) => `${tag} ${data.path} ${body}`).toSorted();
      });
    };
    await expect
      .poll(pushAndRead, { timeout: DELIVERY_MS })
      .toEqual([
        'other /settings Notifications work on this device.',
        'same /settings Benachrichtigungen kommen auf diesem Gerät an.',
      ]);
  });
});

const TEST_MESSAGE: PushMessage = {
  tag: 'same',
  path: '/settings',
  language: 'en',
  detail: { kind: 'test', content: {} },
};

const toggle = async (page: Page, name: string): Promise<void> => {
  // Those of the workflow service come later on the page and have the same names.
  const target = page.getByRole('switch', { name }).first();
  // A switch is disabled until its state is known, and takes no key then.
  await expect.poll(() => target.isEnabled(), { timeout: DELIVERY_MS }).toBe(true);
  await target.focus();
  await page.keyboard.press('Space');
};

const shown = (): PushMessage[] => pushService.shown('browser');

const read = (page: Page, path: string) =>
  page.request.get(`${web.stack.api}/api/v1${path}`).then((response) => response.json());

/** Hands push messages to the service worker, as the browser does after it has decrypted them. */
const openPush = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  return (message: PushMessage) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(page.url()).origin,
      registrationId,
      data: JSON.stringify(message),
    });
};

const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ({ url, json }) => {
      const response = await fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: json,
      });
      if (!response.ok) throw new Error(await response.text());
    },
    { url: `${web.stack.api}/api/v1${path}`, json: JSON.stringify(body) },
  );

/** Puts a new email into the inbox of the user, as Gmail does when one arrives; returns its id. */
const deliver = async (from: string, subject: string): Promise<string> =>
  withDatabase(async (database) => {
    const { id: userId } = await database.user.findFirstOrThrow({ where: { email: USER } });
    const { encryptedAccessToken } = await database.providerConnection.findUniqueOrThrow({
      where: { userId },
    });
    const token = createTokenCipher({ current: KEY }).decrypt(encryptedAccessToken, userId);
    const raw = [`From: ${from}`, `To: ${USER}`, `Subject: ${subject}`, '', 'Hello'].join('\r\n');
    const inserted = await got
      .post(`${web.stack.google}/gmail/v1/users/me/messages`, {
        headers: { authorization: `Bearer ${token}` },
        json: { raw: Buffer.from(raw).toString('base64url'), labelIds: ['INBOX', 'UNREAD'] },
      })
      .json<{ id: string }>();
    return inserted.id;
  });

/** Has the watch check the mailbox now, and waits until it has. */
const checkMailboxNow = () =>
  withDatabase(async (database) => {
    const before = await database.mailboxWatch.findFirstOrThrow();
    await database.mailboxWatch.updateMany({ data: { dueAt: new Date() } });
    const hasRun = async () =>
      (await database.mailboxWatch.findFirstOrThrow()).lastRunAt?.getTime() !== before.lastRunAt?.getTime();
    await expect.poll(hasRun, { timeout: DELIVERY_MS }).toBe(true);
  });

const withDatabase = async <T>(
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> => {
  const database = openDatabase({ databaseUrl: web.stack.database, poolSize: 1 });
  try {
    return await work(database);
  } finally {
    await database.$disconnect();
  }
};

const KEY = randomBytes(32);
const vapid = createVapidConfig();
const folder = mkdtempSync(join(tmpdir(), 'mailsweep-push-'));
let pushService: PushService;
// A stack of its own: it has a push service of this test, and nobody else is watched.
const web = useWebStack(
  async () => {
    const certificate = join(folder, 'push.pem');
    writeFileSync(certificate, PUSH_CERTIFICATE);
    return {
      TOKEN_ENCRYPTION_KEY: KEY.toString('base64'),
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: vapid.subject,
      ALLOW_PRIVATE_ADDRESSES: 'webhook,push',
      NOTIFICATION_WEBHOOK: 'true',
      NODE_EXTRA_CA_CERTS: certificate,
    };
  },
  { showsNotifications: true },
);

const visit = {} as Visit;
beforeEach(async () => {
  if (!hasChromium) return;
  pushService = await startPushService(vapid);
  Object.assign(visit, await web.open({ serviceWorkers: 'allow', timezoneId: 'Asia/Tokyo' }));
  const { page } = visit;
  await page.context().grantPermissions(['notifications'], { origin: web.stack.web });
  // Subscribing asks the push service of the browser's maker, which no test may reach: the browser under test gets the
  // subscription of ours instead. Everything else is real: permission, service worker, API, worker, encryption.
  await page.addInitScript((subscription) => {
    const KEPT = 'test:subscription';
    const toSubscription = () => ({
      endpoint: subscription.endpoint,
      toJSON: () => subscription,
      unsubscribe: async () => {
        localStorage.removeItem(KEPT);
        return true;
      },
    });
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        localStorage.setItem(KEPT, 'true');
        return toSubscription();
      },
      getSubscription: async () => (localStorage.getItem(KEPT) === null ? null : toSubscription()),
    });
  }, pushService.subscribe('browser'));
  await withDatabase(async (database) => {
    await database.userPreferences.deleteMany();
    await database.mailboxWatch.deleteMany();
    await database.pushSubscription.deleteMany();
  });
  await web.openAs(page, '/settings', USER);
});
afterEach(async () => {
  if (!hasChromium) return;
  await visit.close();
  await pushService.close();
  expect(visit.complaints).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true }));
