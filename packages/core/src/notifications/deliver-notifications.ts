import type {
  EmailContent,
  NotificationDetail,
  NotificationKind,
  NotificationWebhookBody,
  PushLanguage,
  PushMessage,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { DELIVERY_RETRIES, toRetryDelayMs } from '@mailsweep/event-bus';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import { type LeasedWork, renewLease } from '../due-work/due-work.repository.ts';
import { findNameAmongPeers } from '../owners/owners.repository.ts';
import { findPreferences } from '../preferences/preferences.repository.ts';
import { findQuietEnd, findQuietStart } from './local-time.ts';
import {
  bundleNotifications,
  endNotifications,
  holdNotifications,
  type LeasedNotification,
  noteSentTo,
  retryNotifications,
} from './notification.repository.ts';
import { deletePushSubscription, listPushTargets, type PushTarget } from './push-subscriptions.repository.ts';
import { DEFAULT_TIME_ZONE, isWanted, readContent } from './record-notifications.ts';

/** What the target of the webhook is called in `sentTo`. */
const WEBHOOK = 'webhook';

/** How long a push service keeps a message for a browser that is off, by kind, in seconds. */
const LONGEST_TTL_S: Record<NotificationKind, number> = {
  alert: 86_400,
  digest: 43_200,
  attention: 86_400,
  test: 60,
};

/** Not all push services take less: what would have less time before quiet hours waits for their end. */
const SHORTEST_TTL_S = 1;

/** What a receiver made of a message; `gone`: there will never be one again. */
export type SendResult =
  | { outcome: 'accepted' | 'gone' }
  | { outcome: 'refused'; status: number }
  | { outcome: 'retry'; retryAfterMs: number | undefined };

/** Sends a message to a browser. */
export type SendPush = (
  target: PushTarget,
  message: PushMessage,
  options: { ttlSeconds: number; isUrgent: boolean },
) => Promise<SendResult>;

/** Sends a notification to the workflow service, under its id. */
export type SendNotificationWebhook = (id: string, body: NotificationWebhookBody) => Promise<SendResult>;

export const DELIVERY_OUTCOMES = ['sent', 'dropped', 'held', 'retried', 'taken_over'] as const;
/** What came of notifications, for metrics. */
type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];
export type Deliveries = { kind: NotificationKind; outcome: DeliveryOutcome; count: number }[];

interface Target {
  name: string;
  send: (message: Message, ttlSeconds: number) => Promise<SendResult>;
}

/**
 * Sends the notifications of a user that are leased to this process. What the user no longer wants is dropped, and in quiet
 * hours nothing is sent. Each browser that has a message is noted before the next message, so that after a kill it gets at most the same
 * message again, which takes the place of the first one.
 *
 * @param dependencies.sendPush - undefined where the operator has not set up push
 * @param dependencies.sendWebhook - undefined where the operator does not forward notifications
 * @param stopping - aborted when the process stops: another one sends the rest
 */
export const createDeliverNotifications =
  (dependencies: {
    database: Database;
    cipher: TextCipher;
    sendPush: SendPush | undefined;
    sendWebhook: SendNotificationWebhook | undefined;
    logger: Logger;
    nowMs?: () => number;
  }) =>
  async (work: LeasedWork, stopping: AbortSignal): Promise<Deliveries> => {
    const { database, cipher, sendPush, sendWebhook, logger, nowMs = Date.now } = dependencies;
    const { userId } = work;
    const preferences = await findPreferences(database, userId);
    const { notifications } = preferences;
    const timeZone = preferences.timeZone ?? DEFAULT_TIME_ZONE;

    const deliveries: Deliveries = [];
    for (const bundle of await bundleNotifications(database, work)) {
      const unwanted = bundle.filter(({ kind }) => !isWanted(notifications, kind));
      if (unwanted.length > 0) await end(unwanted, 'dropped');
      const wanted = bundle.filter(({ kind }) => isWanted(notifications, kind));
      for (const message of toMessages(cipher, wanted, notifications.content === 'full')) {
        count(message.notifications, await deliver(message));
      }
    }
    return deliveries;

    async function deliver(message: Message): Promise<DeliveryOutcome> {
      const rows = message.notifications;
      const [first] = rows;
      if (first === undefined) return 'dropped';
      if (stopping.aborted) return 'retried';
      // Another process may have taken them over during the messages before it.
      if (!(await renewLease(database, 'notification', work))) return 'taken_over';
      const quietEnd =
        first.kind === 'test'
          ? null
          : findQuietEnd(notifications.quietHours, timeZone, nowMs() + SHORTEST_TTL_S * 1_000);
      if (quietEnd !== null) {
        await holdNotifications(database, rows, quietEnd);
        return 'held';
      }

      const reached = new Set(first.sentTo);
      const targets = await listTargets(first.kind);
      const results = await Promise.all(
        targets
          .filter(({ name }) => !reached.has(name))
          .map(async ({ name, send }) => {
            const result = await send(message, toTtlSeconds(first.kind)).catch(
              (error: unknown): SendResult => {
                logger.error({ userId, target: name, err: error }, 'a notification could not be sent');
                return { outcome: 'retry', retryAfterMs: undefined };
              },
            );
            if (result.outcome === 'accepted' && (await noteSentTo(database, rows, name))) reached.add(name);
            if (result.outcome === 'refused') {
              const line = { userId, target: name, kind: first.kind, status: result.status };
              logger.warn(line, 'a notification was refused; it is not sent again');
            }
            return result;
          }),
      );
      const attemptsMade = first.failures + 1;
      const backoffMs = DELIVERY_RETRIES.retryDelayMs(attemptsMade);
      const waits = results.flatMap((result) =>
        result.outcome === 'retry' ? [toRetryDelayMs(backoffMs, attemptsMade, result.retryAfterMs)] : [],
      );
      if (waits.length > 0 && attemptsMade < DELIVERY_RETRIES.attempts) {
        await retryNotifications(database, rows, new Date(nowMs() + Math.max(...waits)));
        return 'retried';
      }
      const state = reached.size > 0 ? 'sent' : 'dropped';
      const isEnded = await endNotifications(database, rows, { state, endedAt: new Date(nowMs()) });
      return isEnded ? state : 'taken_over';
    }

    async function end(rows: readonly LeasedNotification[], state: 'sent' | 'dropped'): Promise<void> {
      await endNotifications(database, rows, { state, endedAt: new Date(nowMs()) });
      for (const row of rows) count([row], state);
    }

    function count(rows: readonly LeasedNotification[], outcome: DeliveryOutcome): void {
      if (rows[0]) deliveries.push({ kind: rows[0].kind, outcome, count: rows.length });
    }

    /** What a push service keeps does not arrive in quiet hours, either. */
    function toTtlSeconds(kind: NotificationKind): number {
      const quietStart = kind === 'test' ? null : findQuietStart(notifications.quietHours, timeZone, nowMs());
      const seconds = quietStart === null ? Infinity : Math.floor((quietStart.getTime() - nowMs()) / 1_000);
      return Math.max(SHORTEST_TTL_S, Math.min(LONGEST_TTL_S[kind], seconds));
    }

    async function listTargets(kind: NotificationKind): Promise<Target[]> {
      const chosen = kind === 'test' ? { push: true, webhook: false } : notifications[kind];
      return [
        ...(chosen.webhook && sendWebhook && kind !== 'test' ? [toWebhookTarget(kind, sendWebhook)] : []),
        ...(chosen.push && sendPush ? await listBrowsers(sendPush) : []),
      ];
    }

    function toWebhookTarget(
      kind: Exclude<NotificationKind, 'test'>,
      sendTo: SendNotificationWebhook,
    ): Target {
      return {
        name: WEBHOOK,
        send: ({ notifications: [first], tag, path, detail }) =>
          sendTo(tag, {
            type: `notification.${kind}`,
            timestamp: (first?.createdAt ?? new Date(nowMs())).toISOString(),
            data: { userId, path, detail },
          }),
      };
    }

    async function listBrowsers(send: SendPush): Promise<Target[]> {
      const browsers = await listPushTargets({ database, cipher }, userId);
      const mailbox = await findNameAmongPeers(database, userId);
      return browsers.map(({ id, language, userId: subscriberId, ...target }) => ({
        name: id,
        async send(message, ttlSeconds) {
          const result = await send(target, toPushMessage(message, language, mailbox), {
            ttlSeconds,
            isUrgent: message.detail.kind !== 'digest',
          });
          if (result.outcome === 'gone') {
            await deletePushSubscription(database, [subscriberId], id);
            logger.info({ userId, subscriptionId: id }, 'removed a push subscription that has ended');
          }
          return result;
        },
      }));
    }
  };

/** @param mailbox - where its owner has others; a digest is about all of them */
const toPushMessage = (
  { tag, path, detail }: Message,
  language: PushLanguage,
  mailbox: { number: number; name: string } | undefined,
): PushMessage => ({
  tag,
  path: mailbox === undefined ? path : `/m/${mailbox.number}${path}`,
  language,
  ...(mailbox !== undefined && detail.kind !== 'digest' && { mailbox: shorten(mailbox.name) }),
  detail,
});

/** Most alerts at a time that are told one by one. */
const MAX_SINGLE_ALERTS = 3;
/** Most emails that a bundle names; a push message holds 4 kB. */
const MAX_NAMED_EMAILS = 3;
/** Longest sender and subject, in characters. */
const MAX_TEXT_LENGTH = 120;

const SCREENS: Record<Exclude<NotificationKind, 'alert'>, string> = {
  digest: '/suggestions',
  attention: '/settings',
  test: '/settings',
};

/** What is told with one message, and the notifications that it stands for. */
interface Message {
  notifications: LeasedNotification[];
  /** A message with the same tag takes the place of an earlier one. */
  tag: string;
  path: string;
  detail: NotificationDetail;
}

/**
 * Puts notifications into messages. Alerts become one when there are many, or when they waited for the end of quiet hours
 * together. The same notifications always become the same messages.
 *
 * @param showsContent - whether the user wants sender, subject and counts in notifications
 */
const toMessages = (
  cipher: TextCipher,
  notifications: readonly LeasedNotification[],
  showsContent: boolean,
): Message[] => {
  const alerts = notifications.filter(({ kind }) => kind === 'alert');
  const isBundle =
    alerts.length > MAX_SINGLE_ALERTS || (alerts.length > 1 && alerts.some(({ isHeld }) => isHeld));
  const alertGroups = isBundle ? [alerts] : alerts.map((alert) => [alert]);
  const others = notifications.filter(({ kind }) => kind !== 'alert');
  return [...alertGroups.map(toAlert), ...others.map(toOther)];

  function toAlert(group: LeasedNotification[]): Message {
    const contents = group
      .map((row) => readContent(cipher, { ...row, kind: 'alert' }))
      .filter((content) => content !== undefined);
    const [first] = contents;
    const named = contents.slice(0, MAX_NAMED_EMAILS).map(toShortContent);
    return {
      notifications: group,
      tag: group[0]?.id ?? '',
      path: group.length === 1 && first ? `/inbox?email=${encodeURIComponent(first.emailId)}` : '/inbox',
      detail: {
        kind: 'alert',
        content: showsContent && first ? { count: group.length, emails: named } : null,
      },
    };
  }

  function toOther(row: LeasedNotification): Message {
    const kind = row.kind as Exclude<NotificationKind, 'alert'>;
    const stored = readContent(cipher, { ...row, kind }) ?? null;
    return {
      notifications: [row],
      tag: row.id,
      path: isAboutRule(stored) ? '/rules' : SCREENS[kind],
      detail: { kind, content: showsContent ? stored : null } as NotificationDetail,
    };
  }
};

const isAboutRule = (content: object | null): boolean =>
  content !== null && 'reason' in content && content.reason === 'rule_paused';

const toShortContent = ({ from, subject }: EmailContent): EmailContent => ({
  from: shorten(from),
  subject: shorten(subject),
});

/** By code points, so that no character is cut in two. */
const shorten = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT_LENGTH
    ? text
    : `${characters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…`;
};
