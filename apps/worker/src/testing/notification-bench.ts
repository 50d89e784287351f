import { randomUUID } from 'node:crypto';
import type { NotificationWebhookBody, UpdateNotificationPreferences } from '@mailsweep/contracts';
import {
  claimDueNotifications,
  createDeliverNotifications,
  createPushSubscriptions,
  recordAlerts,
  recordAttention,
  type SendNotificationWebhook,
  type SendResult,
  takeDueDigest,
  updatePreferences,
} from '@mailsweep/core';
import { createTestDatabase } from '@mailsweep/database/testing';
import { createTokenCipher } from '@mailsweep/provider-connection';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { createSendPush } from '../notifications/send-push.ts';
import { createVapidConfig, startPushService } from './push-service.ts';

const BERLIN = 'Europe/Berlin';
const CLIENT = { address: null, browser: null };

/** A user, a push service with browsers, and processes that send notifications. Time is what tests say. */
export const openNotificationBench = async () => {
  const db = await createTestDatabase();
  const { database } = db;
  const userId = randomUUID();
  await database.user.create({ data: { id: userId, providerSubject: userId, email: 'ada@example.com' } });
  const vapid = createVapidConfig();
  const pushService = await startPushService(vapid);
  const cipher = createTokenCipher({ current: Buffer.alloc(32, 1) });
  const { logger, lines } = createRecordingLogger();
  let nowMs = Date.parse('2026-02-01T12:00:00Z');
  const subscriptions = createPushSubscriptions({
    database,
    cipher,
    pushKey: vapid.publicKey,
    nowMs: () => nowMs,
  });
  const calls: { id: string; body: NotificationWebhookBody }[] = [];
  let webhookResult: SendResult = { outcome: 'accepted' };

  const openProcess = (
    changes: { allowPrivateAddresses?: boolean; sendWebhook?: SendNotificationWebhook } = {},
  ) => {
    const { sendWebhook, ...push } = changes;
    const stopping = new AbortController();
    const deliver = createDeliverNotifications({
      database,
      cipher,
      sendPush: createSendPush({ ...vapid, ...push }, () => new Date()),
      sendWebhook:
        sendWebhook ??
        (async (id, body) => {
          calls.push({ id, body });
          return webhookResult;
        }),
      logger,
      stopping: stopping.signal,
      nowMs: () => nowMs,
    });
    return { deliver, stopping };
  };
  const own = openProcess();

  return {
    ...db,
    userId,
    vapid,
    cipher,
    pushService,
    lines,
    calls,
    subscriptions,
    openProcess,
    setWebhookResult(result: SendResult) {
      webhookResult = result;
    },
    setNow(text: string) {
      nowMs = Date.parse(text);
    },
    passTime(ms: number) {
      nowMs += ms;
    },
    change: (notifications: UpdateNotificationPreferences, timeZone: string | null = BERLIN) =>
      updatePreferences(database, userId, { notifications, timeZone }, CLIENT, nowMs),
    subscribe: (name: string, language: 'en' | 'de' = 'en') =>
      subscriptions.subscribeToPush(
        userId,
        { ...pushService.subscribe(name), language },
        'Firefox on Windows',
      ),
    /** Records what the watch does when emails arrive that are worth an alert. */
    alert: (...subjects: string[]) =>
      database.$transaction((tx) =>
        recordAlerts(tx, cipher, {
          userId,
          nowMs,
          emails: subjects.map((subject) => ({
            id: `id-${subject.replaceAll(' ', '-')}`,
            from: 'Power Company <bills@power.example>',
            subject,
            date: '2026-02-01T11:59:00.000Z',
            isRead: false,
            category: 'primary',
            attachmentSizeMb: 0,
            suggestions: [{ action: 'notify', classification: 'bill', confidence_score: 0.9 }],
          })),
        }),
      ),
    attention: (key: string) =>
      database.$transaction((tx) =>
        recordAttention(tx, cipher, {
          userId,
          key,
          content: { reason: 'rule_paused', name: 'Bills' },
          nowMs,
        }),
      ),
    takeDigest: () => takeDueDigest({ database, cipher }, nowMs),
    claim: () => claimDueNotifications(database, new Date(nowMs)),
    /** Sends all that is due. */
    async send() {
      for (;;) {
        const claimed = await claimDueNotifications(database, new Date(nowMs));
        if (claimed.length === 0) return;
        await own.deliver(claimed);
      }
    },
    readNotifications: () => database.notification.findMany({ orderBy: { id: 'asc' } }),
    async close() {
      await pushService.close();
      await db.drop();
    },
  };
};
export type NotificationBench = Awaited<ReturnType<typeof openNotificationBench>>;
