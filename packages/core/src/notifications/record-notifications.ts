import {
  type AttentionContent,
  type DigestContent,
  type EmailContent,
  type EmailWithSuggestions,
  type NotificationKind,
  type NotificationPreferences,
  SuggestedActionSchema,
} from '@mailsweep/contracts';
import type { Transaction } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { v7 as uuidv7 } from 'uuid';
import { type ChosenPreferences, findPreferences } from '../preferences/preferences.repository.ts';
import { findQuietEnd } from './local-time.ts';
import { insertNotifications, type NewNotification } from './notification.repository.ts';

/** What is stored of a notification, by its kind. */
interface StoredContent {
  alert: EmailContent & { emailId: string };
  digest: DigestContent;
  attention: AttentionContent;
  test: Record<string, never>;
}

/** Encrypts what a notification tells, bound to its id. */
const writeContent = <Kind extends keyof StoredContent>(
  cipher: TextCipher,
  id: string,
  _kind: Kind,
  content: StoredContent[Kind],
): string => cipher.encrypt(JSON.stringify(content), id);

/** What a notification tells; undefined where the key is gone. */
export const readContent = <Kind extends keyof StoredContent>(
  cipher: TextCipher,
  { id, encryptedContent }: { id: string; kind: Kind; encryptedContent: string | null },
): StoredContent[Kind] | undefined => {
  try {
    return JSON.parse(cipher.decrypt(encryptedContent ?? '', id)) as StoredContent[Kind];
  } catch {
    return undefined;
  }
};

const NOTIFY = SuggestedActionSchema.enum.notify;

/** The time zone for users who have not told theirs. */
export const DEFAULT_TIME_ZONE = 'UTC';

/** Whether a user wants any notification. */
export const isWanted = (notifications: NotificationPreferences, kind: NotificationKind): boolean =>
  kind === 'test' || notifications[kind].push || notifications[kind].webhook;

/** A notification that is due now, or when quiet hours end; what the user asked for just now is not held. */
export const toNewNotification = <Kind extends NotificationKind>(
  cipher: TextCipher,
  { notifications, timeZone }: ChosenPreferences,
  recorded: { userId: string; kind: Kind; key: string; content: StoredContent[Kind]; nowMs: number },
): NewNotification => {
  const { userId, kind, key, content, nowMs } = recorded;
  const id = uuidv7();
  const quietEnd =
    kind === 'test' ? null : findQuietEnd(notifications.quietHours, timeZone ?? DEFAULT_TIME_ZONE, nowMs);
  return {
    id,
    userId,
    kind,
    key,
    encryptedContent: writeContent(cipher, id, kind, content),
    dueAt: quietEnd ?? new Date(nowMs),
    isHeld: quietEnd !== null,
    createdAt: new Date(nowMs),
  };
};

/**
 * Records an alert for each new email that is worth one, in the transaction that stores the suggestions. An email has one
 * alert ever.
 *
 * @returns how many alerts are new
 */
export const recordAlerts = async (
  tx: Transaction,
  cipher: TextCipher,
  { userId, emails, nowMs }: { userId: string; emails: readonly EmailWithSuggestions[]; nowMs: number },
): Promise<number> => {
  const preferences = await findPreferences(tx, userId);
  if (!isWanted(preferences.notifications, 'alert')) return 0;
  const { minConfidence } = preferences.notifications.alert;
  const alerts = emails
    .filter(({ suggestions }) =>
      suggestions.some(
        ({ action, confidence_score }) => action === NOTIFY && confidence_score >= minConfidence,
      ),
    )
    .map(({ id: emailId, from, subject }) =>
      toNewNotification(cipher, preferences, {
        userId,
        kind: 'alert',
        key: `alert:${emailId}`,
        content: { emailId, from, subject },
        nowMs,
      }),
    );
  return await insertNotifications(tx, alerts);
};

/**
 * Records something that only the user can resolve, in the transaction that finds it out.
 *
 * @param attention.key - names this one occurrence, so that the user is told once
 * @returns whether it is new and wanted
 */
export const recordAttention = async (
  tx: Transaction,
  cipher: TextCipher,
  attention: { userId: string; key: string; content: AttentionContent; nowMs: number },
): Promise<boolean> => {
  const { userId, key, content, nowMs } = attention;
  const preferences = await findPreferences(tx, userId);
  if (!isWanted(preferences.notifications, 'attention')) return false;
  const notification = toNewNotification(cipher, preferences, {
    userId,
    kind: 'attention',
    key: `attention:${key}`,
    content,
    nowMs,
  });
  return (await insertNotifications(tx, [notification])) > 0;
};

/** Records that a user has to sign in again: once for each end of the mailbox connection. */
export const recordEndedConnection = async (
  tx: Transaction,
  cipher: TextCipher,
  userId: string,
  nowMs: number,
): Promise<void> => {
  const connection = await tx.providerConnection.findUnique({
    where: { userId },
    select: { reauthRequiredAt: true, updatedAt: true },
  });
  const endedAt = connection?.reauthRequiredAt ?? connection?.updatedAt;
  await recordAttention(tx, cipher, {
    userId,
    key: `reconnect:${endedAt?.toISOString() ?? 'never'}`,
    content: { reason: 'reconnect' },
    nowMs,
  });
};
