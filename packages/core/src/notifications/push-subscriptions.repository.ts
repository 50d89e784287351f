import { createECDH, createHash } from 'node:crypto';
import {
  type ListPushSubscriptionsResponse,
  MAX_PUSH_SUBSCRIPTIONS,
  type Pagination,
  PushLanguageSchema,
  type PushSubscription,
  type SubscribeToPushRequest,
} from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { v7 as uuidv7 } from 'uuid';
import { lockSession } from '../concurrency/session-lock.repository.ts';
import { listPeerIds, listReachedUserIds, type Reach } from '../owners/owners.repository.ts';
import { findPreferences } from '../preferences/preferences.repository.ts';
import { InvalidFieldError, RefusedError } from '../refused-error.ts';
import { insertLimited } from './notification.repository.ts';
import { toNewNotification } from './record-notifications.ts';

/** Most test notifications of a user within a minute. */
const MAX_TESTS = 3;
const TEST_WINDOW_MS = 60_000;

/** Where the push service takes messages for a browser, and the keys that only this browser has. */
export type PushTarget = Pick<SubscribeToPushRequest, 'endpoint' | 'keys'>;

const toPushSubscription = ({ id, browser, language, createdAt }: PushSubscriptionRow): PushSubscription => ({
  id,
  browser,
  language: PushLanguageSchema.parse(language),
  createdAt: createdAt.toISOString(),
});

/** Where the messages of a user go: to the browsers of their owner, without subscriptions whose key is gone. */
export const listPushTargets = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
): Promise<(PushSubscription & PushTarget & { userId: string })[]> => {
  const rows = await listPushSubscriptionRows(database, await listPeerIds(database, userId));
  return rows.flatMap((row) => {
    const target = readTarget(cipher, row);
    return target === undefined ? [] : [{ ...toPushSubscription(row), ...target, userId: row.userId }];
  });
};

const readTarget = (cipher: TextCipher, row: PushSubscriptionRow): PushTarget | undefined => {
  try {
    return JSON.parse(cipher.decrypt(row.encryptedSubscription, row.id)) as PushTarget;
  } catch {
    return undefined;
  }
};

/** Whether messages can be encrypted for a browser with this key. */
const isPublicKey = (p256dh: string): boolean => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  try {
    pair.computeSecret(p256dh, 'base64url');
    return true;
  } catch {
    // Not every 65 bytes are a point of the curve.
    return false;
  }
};

/**
 * The browsers that notifications of a user are sent to (docs/decisions/049).
 *
 * @param dependencies.pushKey - the public VAPID key; undefined where the operator has not set up push
 */
export const createPushSubscriptions = (dependencies: {
  database: Database;
  cipher: TextCipher;
  pushKey?: string | undefined;
  nowMs?: () => number;
}) => {
  const { database, cipher, pushKey, nowMs = Date.now } = dependencies;

  return {
    /** The public key to subscribe with; null where push is not set up. */
    pushKey: pushKey ?? null,

    /** Those of all mailboxes that are reached, as each browser is told of all. */
    async listSubscriptions(reach: Reach, pagination: Pagination): Promise<ListPushSubscriptionsResponse> {
      const userIds = await listReachedUserIds(database, reach);
      const { total, rows } = await pagePushSubscriptionRows(database, userIds, pagination);
      return { total, ...pagination, data: rows.map(toPushSubscription) };
    },

    /**
     * Has notifications sent to a browser. The same endpoint is stored once, for the user who subscribed last.
     *
     * @throws {RefusedError} where push is not set up
     * @throws {RefusedError} when the user has too many browsers, or the session has ended
     */
    async subscribe(
      { id: sessionId, userId }: { id: string; userId: string },
      { endpoint, keys, language = 'en' }: SubscribeToPushRequest,
      browser: string | null,
    ): Promise<PushSubscription> {
      if (pushKey === undefined) throw new RefusedError('push_unavailable', 'push is not set up');
      if (!isPublicKey(keys.p256dh)) throw new InvalidFieldError('keys.p256dh', 'must be a point of P-256');
      const id = createHash('sha256').update(endpoint).digest('hex');
      const row = await savePushSubscription(database, sessionId, {
        id,
        userId,
        encryptedSubscription: cipher.encrypt(JSON.stringify({ endpoint, keys } satisfies PushTarget), id),
        browser,
        language,
      });
      if (row === null) {
        throw new RefusedError(
          'too_many_subscriptions',
          `a user may have ${MAX_PUSH_SUBSCRIPTIONS} subscriptions`,
        );
      }
      return toPushSubscription(row);
    },

    async unsubscribe(reach: Reach, id: string): Promise<void> {
      await deletePushSubscription(database, await listReachedUserIds(database, reach), id);
    },

    /**
     * Has a notification sent to all browsers of a user at once, also in quiet hours.
     *
     * @throws {RefusedError} where push is not set up
     * @throws {RefusedError} after too many tests
     */
    async sendTest(userId: string): Promise<void> {
      if (pushKey === undefined) throw new RefusedError('push_unavailable', 'push is not set up');
      const preferences = await findPreferences(database, userId);
      const test = toNewNotification(cipher, preferences, {
        userId,
        kind: 'test',
        key: `test:${uuidv7()}`,
        content: {},
        nowMs: nowMs(),
      });
      const limit = { max: MAX_TESTS, since: new Date(nowMs() - TEST_WINDOW_MS) };
      if (!(await insertLimited(database, test, limit))) {
        throw new RefusedError(
          'too_many_tests',
          'too many test notifications: wait before you send another',
          TEST_WINDOW_MS,
        );
      }
    },
  };
};

type PushSubscriptionRow = Prisma.PushSubscriptionGetPayload<object>;
type NewPushSubscription = Omit<PushSubscriptionRow, 'createdAt'>;

/**
 * Stores a browser's subscription, and replaces an earlier one with the same endpoint, also one of another user.
 *
 * @param sessionId - the session that asks
 * @returns null when the user has as many as they may
 * @throws {RefusedError} when the session has ended
 */
const savePushSubscription = (
  database: Database,
  sessionId: string,
  { id, ...values }: NewPushSubscription,
): Promise<PushSubscriptionRow | null> =>
  database.$transaction(async (tx) => {
    // One at a time: the count below has to include what other requests insert.
    const refusal = await lockSession(tx, { id: sessionId, userId: values.userId });
    if (refusal !== null) throw refusal;
    const others = await tx.pushSubscription.count({ where: { userId: values.userId, id: { not: id } } });
    if (others >= MAX_PUSH_SUBSCRIPTIONS) return null;
    return await tx.pushSubscription.upsert({ where: { id }, create: { id, ...values }, update: values });
  });

/** All subscriptions of these users, the oldest first. */
const listPushSubscriptionRows = (database: Database, userIds: string[]): Promise<PushSubscriptionRow[]> =>
  database.pushSubscription.findMany({
    where: { userId: { in: userIds } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

/** A page of the subscriptions of these users, newest first. */
const pagePushSubscriptionRows = async (
  database: Database,
  userIds: string[],
  { page, perPage }: Pagination,
): Promise<{ total: number; rows: PushSubscriptionRow[] }> => {
  const [total, rows] = await database.$transaction([
    database.pushSubscription.count({ where: { userId: { in: userIds } } }),
    database.pushSubscription.findMany({
      where: { userId: { in: userIds } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * perPage,
      take: perPage,
    }),
  ]);
  return { total, rows };
};

/** Deletes a subscription of one of these users, if there is one. */
export const deletePushSubscription = async (
  database: Database,
  userIds: string[],
  id: string,
): Promise<void> => {
  await database.pushSubscription.deleteMany({ where: { userId: { in: userIds }, id } });
};

/** Deletes all subscriptions of these users. */
export const deleteAllPushSubscriptions = async (tx: Transaction, userIds: string[]): Promise<void> => {
  await tx.pushSubscription.deleteMany({ where: { userId: { in: userIds } } });
};
