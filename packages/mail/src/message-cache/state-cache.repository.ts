import type { KeyObject } from 'node:crypto';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import { LABELS_BY_CATEGORY } from '@mailsweep/mail/mailbox';
import { insertMessages, insertWrittenTo, toMessageRow, toNamedSender } from './message-cache.repository.ts';
import type { TextCipher } from './message-text.ts';
import { insertSenderNames } from './sender-names.repository.ts';
import type { OpenStateStore } from './state-store.ts';

const CATEGORY_LABELS = LABELS_BY_CATEGORY.map(([, label]) => label);

/**
 * Caches messages of mailboxes that have states, in the same tables as those that have a history. Every statement that
 * writes locks the user's MailboxSync row first, and compares the state under the lock.
 *
 * @param dependencies.senderKey - key of the HMAC by which senders are told apart
 */
export const createStateStores =
  (dependencies: { database: Database; cipher: TextCipher; senderKey: KeyObject }): OpenStateStore =>
  (userId) => {
    const { database, senderKey } = dependencies;
    const lockAt = (state: string) => Prisma.sql`
      SELECT "userId", "generation" FROM "MailboxSync"
      WHERE "userId" = ${userId}::uuid AND "state" = ${state} FOR UPDATE`;

    return {
      async readState() {
        const [row] = await readRows<{ state: string; confirmedMsAgo: number }>(
          database,
          Prisma.sql`
          SELECT "state", (extract(epoch FROM now() - "syncedAt") * 1000)::float8 AS "confirmedMsAgo"
          FROM "MailboxSync" WHERE "userId" = ${userId}::uuid AND "state" IS NOT NULL`,
        );
        return row;
      },

      async begin(state) {
        // For a user who was erased meanwhile nothing is begun.
        await database.$executeRaw`
          INSERT INTO "MailboxSync" ("userId", "historyId", "state")
          SELECT "id", 0, ${state} FROM "User" WHERE "id" = ${userId}::uuid
          ON CONFLICT ("userId") DO NOTHING`;
      },

      async listCachedIds(ids) {
        const rows = await readRows<{ emailId: string }>(
          database,
          Prisma.sql`
          SELECT "emailId" FROM "CachedMessage" WHERE "userId" = ${userId}::uuid
            ${ids === undefined ? Prisma.empty : Prisma.sql`AND "emailId" = ANY(${ids}::text[])`}`,
        );
        return rows.map(({ emailId }) => emailId);
      },

      async save(state, messages) {
        if (messages.length === 0) return true;
        const rows = messages.map((message) => toMessageRow(dependencies, userId, message));
        const senders = messages.map(({ facts }) => toNamedSender(senderKey, userId, facts));
        const locked = await readRows<{ userId: string }>(
          database,
          Prisma.sql`
          WITH sync AS MATERIALIZED (${lockAt(state)}),
          named AS (${insertSenderNames(senders, Prisma.sql`CROSS JOIN sync`)}),
          written_to AS (${insertWrittenTo(dependencies, userId, messages)}),
          written AS (${insertMessages(rows, { condition: Prisma.sql`true`, isReplaced: Prisma.sql`true` })})
          SELECT "userId" FROM sync`,
        );
        return locked.length > 0;
      },

      async advance(from, to, { labels, gone }) {
        const changed = [...labels].map(([id, present]) => ({ id, labels: present }));
        const locked = await readRows<{ userId: string }>(
          database,
          Prisma.sql`
          WITH sync AS MATERIALIZED (${lockAt(from)}),
          moved AS (
            UPDATE "MailboxSync" AS target SET "state" = ${to}, "syncedAt" = now()
            FROM sync WHERE target."userId" = sync."userId"),
          changed AS (
            UPDATE "CachedMessage" AS cached SET "labels" = newer."labels" || ARRAY(
              SELECT label FROM unnest(cached."labels") AS label WHERE label = ANY(${CATEGORY_LABELS}::text[]))
            FROM sync, jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) AS newer("id" text, "labels" text[])
            WHERE cached."userId" = sync."userId" AND cached."emailId" = newer."id"),
          forgotten AS (
            DELETE FROM "CachedMessage" AS cached USING sync
            WHERE cached."userId" = sync."userId" AND cached."emailId" = ANY(${gone}::text[]))
          SELECT "userId" FROM sync`,
        );
        return locked.length > 0;
      },
    };
  };
