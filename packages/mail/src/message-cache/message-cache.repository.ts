import type { KeyObject } from 'node:crypto';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { type MessageFacts, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import {
  FACT_COLUMNS,
  type FactColumn,
  type FactsRow,
  MessageColumnsSchema,
  readFactColumns,
} from './fact-columns.ts';
import { groupByMessage, type LabelRecord } from './label-record.ts';
import type { CachedLabels, CachedMessage, MessageStore, Snapshot } from './message-store.ts';
import { readMessageText, type TextCipher, writeMessageText } from './message-text.ts';
import { addUnshown, replayRecords, type UnshownLabel } from './replay-records.ts';
import { toSenderKey, toSenderKeys } from './sender-address.ts';
import { insertSenderNames, type NamedSender } from './sender-names.repository.ts';
import { writeSender } from './sender-text.ts';

/** A message to cache: what never changes, and its labels. */
export interface MessageToCache {
  id: string;
  labels: string[];
  facts: MessageFacts;
}

const list = (names: readonly string[], of = ''): Prisma.Sql =>
  Prisma.raw(names.map((name) => `${of}"${name}"`).join(', '));

const COLUMNS = Object.keys(Prisma.CachedMessageScalarFieldEnum);

/** The columns of a {@link FactsRow}, of `message`. */
export const FACTS = list([...FACT_COLUMNS, 'encryptedText'], 'message.');

const isSent = (labels: readonly string[]): boolean => labels.includes(SYSTEM_LABELS.sent);

export const toMessageRow = (
  { cipher, senderKey }: { cipher: TextCipher; senderKey: KeyObject },
  userId: string,
  { id, labels, facts }: MessageToCache,
  historyId = 0n,
) => {
  const { senderKey: author, listKey } = toSenderKeys(senderKey, userId, facts);
  const recipients = isSent(labels) ? [] : undefined;
  const further = {
    userId,
    emailId: id,
    historyId: String(historyId),
    labels,
    unshownLabels: [],
    senderKey: `\\x${author}`,
    listKey: listKey && `\\x${listKey}`,
    encryptedText: writeMessageText(cipher, userId, id, { ...facts, recipients }),
    hasUnsubscribe: facts.unsubscribe !== undefined,
    hasSignedUnsubscribe: facts.unsubscribe?.isSigned === true,
  } satisfies Record<Exclude<Prisma.CachedMessageScalarFieldEnum, FactColumn | 'generation'>, unknown>;
  return { ...MessageColumnsSchema.parse(facts), ...further };
};

export const toNamedSender = (senderKey: KeyObject, userId: string, facts: MessageFacts): NamedSender => ({
  userId,
  ...toSenderKeys(senderKey, userId, facts),
});

/**
 * Inserts messages, as a part of a statement in which `sync` has the user's locked row of MailboxSync.
 *
 * @param when.condition - on `sync` and `row`, the row to insert as JSON
 * @param when.isReplaced - on `cached` and `EXCLUDED`: whether a row of the same generation is replaced
 */
export const insertMessages = (
  rows: readonly ReturnType<typeof toMessageRow>[],
  when: { condition: Prisma.Sql; isReplaced: Prisma.Sql },
): Prisma.Sql => Prisma.sql`
  INSERT INTO "CachedMessage" AS cached (${list(COLUMNS)})
  SELECT ${list(COLUMNS, 'message.')}
  FROM sync, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) AS row, jsonb_populate_record(
    NULL::"CachedMessage", row || jsonb_build_object('generation', sync."generation")) AS message
  WHERE ${when.condition}
  ON CONFLICT ("userId", "emailId") DO UPDATE SET (${list(COLUMNS)}) = (${list(COLUMNS, 'EXCLUDED.')})
  WHERE cached."generation" < EXCLUDED."generation" OR ${when.isReplaced}`;

/** Notes whom the user has written to by these messages, as a part of such a statement. */
export const insertWrittenTo = (
  { cipher, senderKey }: { cipher: TextCipher; senderKey: KeyObject },
  userId: string,
  messages: readonly MessageToCache[],
): Prisma.Sql => {
  const sent = messages.filter(({ labels }) => isSent(labels));
  const addresses = new Set(sent.flatMap(({ facts }) => facts.recipients ?? []));
  const rows = [...addresses].map((address) => ({
    key: toSenderKey(senderKey, userId, address),
    text: writeSender(cipher, userId, address),
  }));
  return Prisma.sql`
    INSERT INTO "WrittenTo" ("userId", "senderKey", "encryptedSender")
    SELECT ${userId}::uuid, decode(address."key", 'hex'), address."text"
    FROM sync, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS address("key" text, "text" text)
    ON CONFLICT ("userId", "senderKey") DO NOTHING`;
};

export type OpenMessageStore = (userId: string) => MessageStore;

/** How long records that are shown late are looked for. The longest delay that was seen is 3 seconds. */
const OVERLAP = Prisma.sql`interval '2 minutes'`;
/** Most records that are read again, 500 of which cost 2 quota units; of a bulk action the last ones. */
const MAX_OVERLAP_RECORDS = 1_000;

interface SyncRow {
  cursor: string;
  overlap: string;
  syncedMsAgo: number;
  isRebuilding: boolean;
}

interface UnshownRow extends Omit<UnshownLabel, 'at'> {
  at: string;
}

/** The columns of a message are null for the one row of a user of whom none of the messages is cached. */
interface LabelsRow extends SyncRow {
  emailId: string | null;
  historyId: string;
  labels: string[];
  unshownLabels: UnshownRow[];
}

const LABEL_COLUMNS = Prisma.sql`
  sync."historyId"::text AS "cursor",
  coalesce(sync."overlapHistoryId", sync."historyId")::text AS "overlap",
  (extract(epoch FROM now() - sync."syncedAt") * 1000)::float8 AS "syncedMsAgo", sync."isRebuilding",
  message."emailId", message."historyId"::text AS "historyId", message."labels", message."unshownLabels"`;
const IS_CURRENT = Prisma.sql`AND message."generation" = sync."generation"`;

/**
 * Caches messages in the database (docs/decisions/021). Whatever writes locks the user's MailboxSync row first, so
 * that no two writers ever judge by the same cursor.
 *
 * @param dependencies.senderKey - key of the HMAC by which senders are told apart
 */
export const createMessageStores = (dependencies: {
  database: Database;
  cipher: TextCipher;
  senderKey: KeyObject;
}): OpenMessageStore => {
  const { database, cipher, senderKey } = dependencies;

  return (userId) => {
    const toCachedMessage = (row: LabelsRow & FactsRow): CachedMessage[] => {
      // Rows that are older than the column have no conversation: the message is fetched again.
      if (row.emailId === null || row.threadId === null) return [];
      const text = readMessageText(cipher, userId, row.emailId, row.encryptedText);
      // So it is where an earlier version has read From, or what the user sent.
      if (text?.isSenderUnclear === undefined || (isSent(row.labels) && !text.recipients)) return [];
      const facts = { ...text, ...readFactColumns(row) };
      return toCachedLabels(row).map((cached) => ({ ...cached, facts }));
    };

    return {
      async readMessages(ids) {
        const rows = await readRows<LabelsRow & FactsRow>(
          database,
          Prisma.sql`SELECT ${LABEL_COLUMNS}, ${FACTS} ${fromCached(ids, IS_CURRENT)}`,
        );
        return toSnapshot(rows, rows.filter(isTrusted).flatMap(toCachedMessage));
      },

      async readLabels(ids) {
        const rows = await readRows<LabelsRow>(
          database,
          Prisma.sql`SELECT ${LABEL_COLUMNS} ${fromCached(ids, IS_CURRENT)}`,
        );
        return toSnapshot(rows, rows.filter(isTrusted).flatMap(toCachedLabels));
      },

      async begin(historyId) {
        // For a user who was erased meanwhile nothing is begun.
        await database.$executeRaw`
          INSERT INTO "MailboxSync" ("userId", "historyId")
          SELECT "id", ${String(historyId)}::numeric FROM "User" WHERE "id" = ${userId}::uuid
          ON CONFLICT ("userId") DO NOTHING`;
      },

      async save(messages) {
        const rows = messages.map(({ message, completeUpTo }) => ({
          ...toMessageRow(dependencies, userId, message, message.historyId),
          completeUpTo: String(completeUpTo),
        }));
        const senders = messages.map(({ message }) => toNamedSender(senderKey, userId, message.facts));
        const [sync] = await readRows<Pick<SyncRow, 'cursor'>>(
          database,
          Prisma.sql`
          WITH sync AS MATERIALIZED (
            SELECT "historyId", coalesce("overlapHistoryId", "historyId") AS "overlap", "generation"
            FROM "MailboxSync" WHERE "userId" = ${userId}::uuid FOR UPDATE),
          named AS (${insertSenderNames(senders, Prisma.sql`CROSS JOIN sync`)}),
          written_to AS (${insertWrittenTo(
            dependencies,
            userId,
            messages.map(({ message }) => message),
          )}),
          written AS (
          ${insertMessages(rows, {
            condition: Prisma.sql`sync."historyId" <= (row->>'completeUpTo')::numeric`,
            // A change of ours that may be later than the fetch is not in it.
            isReplaced: Prisma.sql`cached."historyId" <= EXCLUDED."historyId" AND NOT EXISTS (
              SELECT FROM sync, jsonb_to_recordset(cached."unshownLabels") AS unshown("at" numeric)
              WHERE unshown."at" > greatest(EXCLUDED."historyId", sync."overlap"))`,
          })})
          SELECT "historyId"::text AS "cursor" FROM sync`,
        );
        const cursor = BigInt(sync?.cursor ?? 0);
        return messages.every(({ completeUpTo }) => completeUpTo >= cursor);
      },

      async noteChanges(changes) {
        const changeOf = new Map(changes.map((change) => [change.id, change]));
        await database.$transaction(async (tx) => {
          await lockSync(tx);
          const rows = await readRowsOf(tx, [...changeOf.keys()]);
          await updateLabels(
            tx,
            rows.flatMap((cached) => {
              const change = changeOf.get(cached.id);
              return change ? addUnshown(cached, change) : [];
            }),
          );
        });
      },

      async advance(from, to, records) {
        if (records.length === 0) {
          await moveCursor(database, from, to);
          return;
        }
        await database.$transaction(async (tx) => {
          const cursor = await lockSync(tx);
          if (cursor === undefined || cursor < from || cursor > to) return;
          await applyToRows(tx, groupByMessage(records));
          await moveCursor(tx, from, to, records.at(-MAX_OVERLAP_RECORDS)?.historyId);
        });
      },

      async rebuild(from, historyId) {
        const [begun] = await database.$queryRaw<{ isNew: boolean }[]>`
          WITH before AS MATERIALIZED (
            SELECT * FROM "MailboxSync"
            WHERE "userId" = ${userId}::uuid AND "historyId" = ${String(from)}::numeric FOR UPDATE),
          moved AS (
            UPDATE "MailboxSync" AS sync
            SET "historyId" = ${String(historyId)}::numeric, "generation" = before."generation" + 1, "syncedAt" = now(),
              "overlapHistoryId" = NULL, "nextOverlapHistoryId" = NULL, "nextOverlapAt" = NULL, "isRebuilding" = true
            FROM before WHERE sync."userId" = before."userId")
          SELECT NOT "isRebuilding" AS "isNew" FROM before`;
        return begun?.isNew === true;
      },

      async listStale() {
        const rows = await database.$queryRaw<{ emailId: string }[]>`
          SELECT message."emailId" FROM "CachedMessage" AS message
          JOIN "MailboxSync" AS sync ON sync."userId" = message."userId" AND message."generation" < sync."generation"
          WHERE message."userId" = ${userId}::uuid`;
        return rows.map(({ emailId }) => emailId);
      },

      async refresh(historyId, labels, isOver) {
        const rows = [...labels].flatMap(([id, present]) => (present ? [{ id, labels: [...present] }] : []));
        const gone = [...labels.keys()].filter((id) => labels.get(id) === undefined);
        const at = Prisma.sql`${String(historyId)}::numeric`;
        await database.$executeRaw`
          WITH sync AS MATERIALIZED (
            SELECT "userId", "generation" FROM "MailboxSync"
            WHERE "userId" = ${userId}::uuid AND "historyId" <= ${at} FOR UPDATE),
          changed AS (
            UPDATE "CachedMessage" AS cached SET "labels" = newer."labels", "historyId" = ${at},
              "unshownLabels" = '[]', "generation" = sync."generation"
            FROM sync, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS newer("id" text, "labels" text[])
            WHERE cached."userId" = sync."userId" AND cached."emailId" = newer."id"
              AND cached."generation" < sync."generation" AND NOT EXISTS (
                SELECT FROM jsonb_to_recordset(cached."unshownLabels") AS unshown("at" numeric)
                WHERE unshown."at" > ${at})),
          forgotten AS (
            DELETE FROM "CachedMessage" AS cached USING sync
            WHERE cached."userId" = sync."userId" AND cached."emailId" = ANY(${gone}::text[]))
          UPDATE "MailboxSync" AS target SET "isRebuilding" = NOT ${isOver}
          FROM sync WHERE target."userId" = sync."userId"`;
      },

      forget: (ids) => forget(database, ids),
    };

    function fromCached(ids: readonly string[], condition = Prisma.empty): Prisma.Sql {
      return Prisma.sql`
        FROM "MailboxSync" AS sync
        LEFT JOIN "CachedMessage" AS message ON message."userId" = sync."userId"
          AND message."emailId" = ANY(${ids}::text[]) ${condition}
        WHERE sync."userId" = ${userId}::uuid`;
    }

    /** Makes all other writers of this user wait; returns the cursor. */
    async function lockSync(tx: Transaction): Promise<bigint | undefined> {
      const rows = await tx.$queryRaw<{ cursor: string }[]>`
        SELECT "historyId"::text AS "cursor" FROM "MailboxSync" WHERE "userId" = ${userId}::uuid FOR UPDATE`;
      return rows[0] && BigInt(rows[0].cursor);
    }

    /**
     * Moves the cursor. Where all since the overlap was read, that begins later, at a point that has been known for long
     * enough.
     *
     * @param least - where the overlap begins at the earliest
     */
    async function moveCursor(tx: Transaction, from: bigint, to: bigint, least = 0n): Promise<void> {
      const isCovered = Prisma.sql`${String(from)}::numeric <= coalesce("overlapHistoryId", "historyId")`;
      const isDue = Prisma.sql`${isCovered} AND coalesce("nextOverlapAt" <= now() - ${OVERLAP}, true)`;
      await tx.$executeRaw`
        UPDATE "MailboxSync" SET "historyId" = ${String(to)}::numeric, "syncedAt" = now(),
          "overlapHistoryId" = greatest(coalesce("overlapHistoryId", "historyId"),
            CASE WHEN ${isCovered} THEN ${String(least)}::numeric END,
            CASE WHEN ${isDue} THEN "nextOverlapHistoryId" END),
          "nextOverlapHistoryId" = CASE WHEN ${isDue} THEN ${String(to)}::numeric ELSE "nextOverlapHistoryId" END,
          "nextOverlapAt" = CASE WHEN ${isDue} THEN now() ELSE "nextOverlapAt" END
        WHERE "userId" = ${userId}::uuid
          AND "historyId" BETWEEN ${String(from)}::numeric AND ${String(to)}::numeric`;
    }

    async function readRowsOf(tx: Transaction, ids: string[]): Promise<CachedLabels[]> {
      const rows = await tx.$queryRaw<LabelsRow[]>`SELECT ${LABEL_COLUMNS} ${fromCached(ids)}`;
      return rows.flatMap(toCachedLabels);
    }

    async function applyToRows(tx: Transaction, records: Map<string, LabelRecord[]>): Promise<void> {
      const changed: CachedLabels[] = [];
      const deleted: string[] = [];
      for (const cached of await readRowsOf(tx, [...records.keys()])) {
        const present = replayRecords(cached, records.get(cached.id) ?? []);
        if (present === undefined) deleted.push(cached.id);
        else if (present !== cached) changed.push(present);
      }
      await updateLabels(tx, changed);
      if (deleted.length > 0) await forget(tx, deleted);
    }

    async function forget(tx: Database | Transaction, ids: readonly string[]): Promise<void> {
      await tx.$executeRaw`
        DELETE FROM "CachedMessage" WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${ids}::text[])`;
    }

    async function updateLabels(tx: Transaction, labels: readonly CachedLabels[]): Promise<void> {
      if (labels.length === 0) return;
      const rows = labels.map(({ id, labels: present, unshown }) => ({
        id,
        labels: present,
        unshown: unshown.map((one) => ({ ...one, at: String(one.at) })),
      }));
      await tx.$executeRaw`
        UPDATE "CachedMessage" AS cached SET "labels" = newer."labels", "unshownLabels" = newer."unshown"
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS newer("id" text, "labels" text[], "unshown" jsonb)
        WHERE cached."userId" = ${userId}::uuid AND cached."emailId" = newer."id"`;
    }
  };
};

/**
 * Whether the history showed every change of ours within the overlap. Otherwise its record was lost, or was taken for that
 * of another change, and the labels may be wrong for good: the message is fetched again.
 */
const isTrusted = ({ emailId, overlap, unshownLabels }: LabelsRow): boolean =>
  emailId === null || unshownLabels.every(({ at }) => BigInt(at) > BigInt(overlap));

/** What the history did not show of our changes within the overlap it will never show. */
const toCachedLabels = ({
  emailId,
  historyId,
  labels,
  unshownLabels,
  overlap,
}: LabelsRow): CachedLabels[] => {
  if (emailId === null) return [];
  const unshown = unshownLabels.map((one) => ({ ...one, at: BigInt(one.at) }));
  return [
    {
      id: emailId,
      historyId: BigInt(historyId),
      labels,
      unshown: unshown.filter(({ at }) => at > BigInt(overlap)),
    },
  ];
};

const toSnapshot = <Cached extends CachedLabels>(
  [sync]: SyncRow[],
  messages: Cached[],
): Snapshot<Cached> | undefined =>
  sync && {
    historyId: BigInt(sync.cursor),
    overlapHistoryId: BigInt(sync.overlap),
    syncedMsAgo: sync.syncedMsAgo,
    isRebuilding: sync.isRebuilding,
    cached: new Map(messages.map((message) => [message.id, message])),
  };
