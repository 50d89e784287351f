import { CALL_PURPOSES, type ListOutgoingCallsResponse, type OutgoingCalls } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { createOutageLog, type Logger, startBackgroundLoop } from '@mailsweep/service-kit';
import { type OutgoingCall, observeOutgoingCalls } from '@mailsweep/service-kit/outgoing-calls';
import { listUnsubscribeHosts } from '../unsubscribing/unsubscribe.repository.ts';

/** How often the calls of a process are stored, in milliseconds. */
const INTERVAL_MS = 5_000;
/** Services whose hosts strangers and emails name: each host would be a row, and tell what the user gets email from. */
const UNNAMED_HOSTS = new Set(['unsubscribe', 'client-document', 'mail-domain']);

interface Counts {
  calls: number;
  bytesSent: number;
  bytesReceived: number;
}

/** The calls to a host on a day, as they are stored. */
interface StoredCalls extends Counts {
  userId: string | null;
  day: string;
  peer: string;
  host: string;
  lastAt: Date;
}

export interface OutgoingCallLog {
  /** Stores what is counted so far. */
  flush(): Promise<void>;
  /** Stores the rest, and counts no longer. */
  close(): Promise<void>;
}

/** Counts the calls of this process to other hosts (docs/decisions/075). */
export const startOutgoingCallLog = ({
  database,
  logger,
  nowMs = Date.now,
}: {
  database: Database;
  logger: Logger;
  nowMs?: () => number;
}): OutgoingCallLog => {
  let counted = new Map<string, StoredCalls>();

  const add = (more: StoredCalls) => {
    const key = JSON.stringify([more.userId, more.day, more.peer, more.host]);
    const known = counted.get(key);
    if (known === undefined) return void counted.set(key, more);
    known.calls += more.calls;
    known.bytesSent += more.bytesSent;
    known.bytesReceived += more.bytesReceived;
    if (more.lastAt > known.lastAt) known.lastAt = more.lastAt;
  };

  const stop = observeOutgoingCalls(({ userId, peer, host, bytesSent, bytesReceived }: OutgoingCall) => {
    const at = new Date(nowMs());
    const day = at.toISOString().slice(0, 10);
    const named = UNNAMED_HOSTS.has(peer) ? '' : host;
    add({ userId, day, peer, host: named, calls: 1, bytesSent, bytesReceived, lastAt: at });
  });

  const flush = async () => {
    if (counted.size === 0) return;
    const taken = [...counted.values()];
    counted = new Map();
    try {
      await database.$executeRaw`
        INSERT INTO "OutgoingCall" ("userId", "day", "peer", "host", "calls", "bytesSent", "bytesReceived", "lastAt")
        SELECT new.* FROM jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) AS new("userId" uuid, "day" date, "peer" text,
          "host" text, "calls" int, "bytesSent" bigint, "bytesReceived" bigint, "lastAt" timestamptz)
        LEFT JOIN "User" AS owner ON owner."id" = new."userId"
        WHERE new."userId" IS NULL OR owner."id" IS NOT NULL
        -- Two processes take the rows in one order.
        ORDER BY new."userId", new."day", new."peer", new."host"
        ON CONFLICT ("userId", "day", "peer", "host") DO UPDATE SET
          "calls" = "OutgoingCall"."calls" + EXCLUDED."calls",
          "bytesSent" = "OutgoingCall"."bytesSent" + EXCLUDED."bytesSent",
          "bytesReceived" = "OutgoingCall"."bytesReceived" + EXCLUDED."bytesReceived",
          "lastAt" = greatest("OutgoingCall"."lastAt", EXCLUDED."lastAt")`;
    } catch (error) {
      for (const calls of taken) add(calls);
      throw error;
    }
  };

  const loop = startBackgroundLoop({
    async task() {
      await flush();
      return false;
    },
    intervalMs: INTERVAL_MS,
    outageLog: createOutageLog(logger, 'storing which hosts were called'),
  });
  return {
    flush,
    async close() {
      stop();
      await loop.close();
      // A database that is away must not hold up the end of the process.
      await flush().catch((error: unknown) =>
        logger.warn({ err: error }, 'the last calls of other hosts could not be stored'),
      );
    },
  };
};

interface CallRow extends Counts {
  isUsers: boolean;
  peer: string;
  host: string;
  recentCalls: number;
  recentSent: number;
  recentReceived: number;
  lastAt: Date;
  firstDay: Date;
}

/** The hosts that were called for a user and for nobody in particular, most recently called first. */
export const listOutgoingCalls = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
): Promise<ListOutgoingCallsResponse> => {
  const rows = await database.$queryRaw<CallRow[]>`
    SELECT "userId" IS NOT NULL AS "isUsers", "peer", "host", sum("calls")::float8 AS "calls",
      sum("bytesSent")::float8 AS "bytesSent", sum("bytesReceived")::float8 AS "bytesReceived",
      coalesce(sum("calls") FILTER (WHERE is_recent), 0)::float8 AS "recentCalls",
      coalesce(sum("bytesSent") FILTER (WHERE is_recent), 0)::float8 AS "recentSent",
      coalesce(sum("bytesReceived") FILTER (WHERE is_recent), 0)::float8 AS "recentReceived",
      max("lastAt") AS "lastAt", min("day") AS "firstDay"
    FROM "OutgoingCall", LATERAL (SELECT "day" > (now() AT TIME ZONE 'UTC')::date - 30 AS is_recent) AS age
    WHERE "userId" = ${userId}::uuid OR "userId" IS NULL
    GROUP BY "isUsers", "peer", "host"
    ORDER BY "lastAt" DESC, "peer", "host"`;
  const days = rows.filter(({ isUsers }) => isUsers).map(({ firstDay }) => firstDay.getTime());
  return {
    since: days.length === 0 ? null : new Date(Math.min(...days)).toISOString(),
    user: rows.filter(({ isUsers }) => isUsers).map(toOutgoingCalls),
    unsubscribeHosts: await listUnsubscribeHosts(database, cipher, userId),
    installation: rows.filter(({ isUsers }) => !isUsers).map(toOutgoingCalls),
  };
};

const toOutgoingCalls = (row: CallRow): OutgoingCalls => ({
  host: row.host === '' ? null : row.host,
  // Rows of a version that knows more services.
  ...(CALL_PURPOSES.get(row.peer) ?? { purpose: 'other', emailFields: [] }),
  total: { calls: row.calls, bytesSent: row.bytesSent, bytesReceived: row.bytesReceived },
  last30Days: {
    calls: row.recentCalls,
    bytesSent: row.recentSent,
    bytesReceived: row.recentReceived,
  },
  lastAt: row.lastAt.toISOString(),
});
