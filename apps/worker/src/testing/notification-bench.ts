import { randomUUID } from 'node:crypto';
import type { NotificationWebhookBody, UpdateNotificationPreferences } from '@mailsweep/contracts';
import {
  claimDueWork,
  createDeliverNotifications,
  createPushSubscriptions,
  type LeasedWork,
  recordAlerts,
  recordAttention,
  releaseWork,
  type SendNotificationWebhook,
  type SendResult,
  takeDigest,
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
    const takeStep = createDeliverNotifications({
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
    const deliver = async (work: LeasedWork) => {
      const deliveries = await takeStep(work);
      await releaseWork(database, 'notification', work, null);
      return deliveries;
    };
    return { deliver, stopping };
  };
  const own = openProcess();
  const claim = () => claimDueWork(database, 'notification', new Date(nowMs));

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
    /** Whether there was something to say; null when no digest is due. */
    async takeDigest(): Promise<boolean | null> {
      const work = await claimDueWork(database, 'digest', new Date(nowMs));
      if (work === null) return null;
      const isRecorded = await takeDigest({ database, cipher }, work, nowMs);
      await releaseWork(database, 'digest', work, null);
      return isRecorded;
    },
    /** Leases what is due of the user; null when nothing is. */
    claim,
    /** Sends all that is due. */
    async send() {
      for (;;) {
        const work = await claim();
        if (work === null) return;
        await own.deliver(work);
      }
    },
    readNotifications: () => database.notification.findMany({ orderBy: { id: 'asc' } }),
    /** @throws when nothing is due */
    async claimDue(): Promise<LeasedWork> {
      const work = await claim();
      if (work === null) throw new Error('no notification is due');
      return work;
    },
    async close() {
      await pushService.close();
      await db.drop();
    },
  };
};
export type NotificationBench = Awaited<ReturnType<typeof openNotificationBench>>;
