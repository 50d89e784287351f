import { randomUUID } from 'node:crypto';
import type { NotificationWebhookBody, UpdateNotificationPreferences } from '@mailsweep/contracts';
import {
  addOwnMailbox,
  createMaintenance,
  type LeasedWork,
  type SendNotificationWebhook,
  type SendResult,
  type WorkerPorts,
} from '@mailsweep/core';
import { openTestMailsweep, recordAlerts, recordAttention } from '@mailsweep/core/testing';
import { createTestDatabase } from '@mailsweep/database/testing';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
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
  const session = { id: randomUUID(), expiresAt: new Date(Date.now() + 3_600_000) };
  await database.user.create({
    data: {
      id: userId,
      providerSubject: userId,
      email: 'ada@example.com',
      sessions: { create: session },
    },
  });
  const vapid = createVapidConfig();
  const pushService = await startPushService(vapid);
  const cipher = createTokenCipher({ current: Buffer.alloc(32, 1) });
  const { logger, lines } = createRecordingLogger();
  let nowMs = Date.parse('2026-02-01T12:00:00Z');
  const mailsweep = openTestMailsweep({
    database,
    cipher,
    pushKey: vapid.publicKey,
    logger,
    nowMs: () => nowMs,
  });
  const { work } = createMaintenance(database);
  const calls: { id: string; body: NotificationWebhookBody }[] = [];
  let webhookResult: SendResult = { outcome: 'accepted' };

  const openProcess = (
    changes: { allowPrivateAddresses?: boolean; sendWebhook?: SendNotificationWebhook } = {},
  ) => {
    const { sendWebhook, ...push } = changes;
    const stopping = new AbortController();
    let deliveries: Parameters<WorkerPorts['observe']['notifications']>[0] = [];
    const steps = mailsweep.openTestSteps({
      sendPush: createSendPush({ ...vapid, ...push }, () => new Date()),
      sendWebhook:
        sendWebhook ??
        (async (id, body) => {
          calls.push({ id, body });
          return webhookResult;
        }),
      observe: {
        scan: () => undefined,
        watch: () => undefined,
        notifications(made) {
          deliveries = made;
        },
      },
    });
    const deliver = async (leased: LeasedWork) => {
      await steps.run('notification', leased, stopping.signal);
      return deliveries;
    };
    return { deliver, stopping };
  };
  const own = openProcess();
  const claim = () => work.claim('notification', new Date(nowMs));

  return {
    ...db,
    userId,
    session: { id: session.id, userId },
    vapid,
    cipher,
    pushService,
    lines,
    calls,
    subscriptions: mailsweep.notifications,
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
    /** Adds another mailbox of the same owner; returns its user. */
    async addMailbox(email: string): Promise<string> {
      const { id } = await database.user.create({
        data: { id: randomUUID(), providerSubject: email, email },
      });
      const add = (tx: Parameters<typeof addOwnMailbox>[0]) =>
        addOwnMailbox(tx, { id: session.id, userId }, id, CLIENT, nowMs);
      await database.$transaction(add);
      return id;
    },
    change: (notifications: UpdateNotificationPreferences, timeZone: string | null = BERLIN) =>
      mailsweep.preferences.update(userId, { notifications, timeZone }, CLIENT),
    subscribe: (name: string, language: 'en' | 'de' = 'en') =>
      mailsweep.notifications.subscribe(
        { id: session.id, userId },
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
    attention: (key: string, ofUser: string = userId) =>
      database.$transaction((tx) =>
        recordAttention(tx, cipher, {
          userId: ofUser,
          key,
          content: { reason: 'rule_paused', name: 'Bills' },
          nowMs,
        }),
      ),
    /** Whether there was something to say; null when no digest is due. */
    async takeDigest(): Promise<boolean | null> {
      const leased = await work.claim('digest', new Date(nowMs));
      if (leased === null) return null;
      const countDigests = () => database.notification.count({ where: { kind: 'digest' } });
      const before = await countDigests();
      await mailsweep.openTestSteps().run('digest', leased);
      return (await countDigests()) > before;
    },
    /** Leases what is due of the user; null when nothing is. */
    claim,
    /** Sends all that is due. */
    async send() {
      for (;;) {
        const leased = await claim();
        if (leased === null) return;
        await own.deliver(leased);
      }
    },
    readNotifications: () => database.notification.findMany({ orderBy: { id: 'asc' } }),
    /** @throws when nothing is due */
    async claimDue(): Promise<LeasedWork> {
      const leased = await claim();
      if (leased === null) throw new Error('no notification is due');
      return leased;
    },
    async close() {
      await mailsweep.close();
      await pushService.close();
      await db.drop();
    },
  };
};
export type NotificationBench = Awaited<ReturnType<typeof openNotificationBench>>;
