import type { AuditEntry, AuditEvent, Page, Pagination } from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { type ListedRow, toPage } from '../listed-row.ts';

export interface NewAuditEntry {
  userId: string;
  event: AuditEvent;
  sessionId?: string | undefined;
  tokenId?: string | undefined;
  /** The client's address as limits count it; null when it is not known. */
  address: string | null;
  /** Readable name of the browser; null when it is not known. */
  browser: string | null;
  details?: Record<string, string | number | boolean>;
}

/**
 * Adds an entry to a user's audit trail. The lock on the user's row makes it wait for an erasure in progress.
 *
 * @returns false, with nothing written, when the user was deleted
 */
export const insertAuditEntry = async (
  database: Database | Transaction,
  entry: NewAuditEntry,
): Promise<boolean> => {
  const { userId, event, sessionId = null, tokenId = null, address, browser, details = {} } = entry;
  const inserted = await database.$executeRaw`
    INSERT INTO "AuditEntry" ("id", "userId", "event", "sessionId", "tokenId", "address", "browser", "details")
    SELECT ${uuidv7()}::uuid, "id", ${event}, ${sessionId}::uuid, ${tokenId}::uuid, ${address}, ${browser},
      ${JSON.stringify(details)}::jsonb
    FROM "User" WHERE "id" = ${userId}::uuid FOR KEY SHARE`;
  return inserted > 0;
};

interface AuditEntryRow {
  id: string;
  event: string;
  at: Date;
  sessionId: string | null;
  tokenId: string | null;
  address: string | null;
  browser: string | null;
  details: Record<string, unknown>;
}

export const listAuditEntries = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<Page<AuditEntry>> => {
  const rows = await readRows<ListedRow<AuditEntryRow>>(
    database,
    Prisma.sql`
    WITH entries AS (
      SELECT "id", "event", "at", "sessionId", "tokenId", "address", "browser", "details" FROM "AuditEntry"
      WHERE "userId" = ${userId}::uuid
      ORDER BY "at" DESC, "id" DESC OFFSET ${(page - 1) * perPage} LIMIT ${perPage}
    )
    SELECT entries.*, (SELECT count(*)::int FROM "AuditEntry" WHERE "userId" = ${userId}::uuid) AS "total"
    FROM (SELECT) AS always LEFT JOIN entries ON true
    ORDER BY "at" DESC, "id" DESC`,
  );
  return toPage(
    rows,
    { page, perPage },
    ({ id, event, at, sessionId, tokenId, address, browser, details }) => ({
      id,
      event,
      at: at.toISOString(),
      sessionId,
      tokenId,
      address,
      browser,
      details,
    }),
  );
};
