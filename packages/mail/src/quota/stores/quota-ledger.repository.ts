import type { Database } from '@mailsweep/database';
import { z } from 'zod';
import { type Ledger, toCurrentLedger } from './ledger.ts';

const StoredLedgerSchema = z.object({
  /** Slot, interactive units, background units. */
  slots: z.array(z.tuple([z.int(), z.number(), z.number()])),
  pausedUntilMs: z.number(),
  heldUntilMs: z.number(),
});

interface LedgerRow {
  /** On the clock of the database, which all processes share. */
  nowMs: number;
  version: number | null;
  ledger: unknown;
}

/** A user's ledger, and what saving it needs. */
export interface ReadLedger {
  ledger: Ledger;
  nowMs: number;
  version: number | null;
}

const toLedger = (stored: unknown): Ledger => {
  const { slots, ...rest } = StoredLedgerSchema.parse(stored);
  return {
    ...rest,
    slots: slots.map(([slot, interactive, background]) => ({ slot, interactive, background })),
  };
};

export const readLedger = async (database: Database, userId: string): Promise<ReadLedger> => {
  const [row] = await database.$queryRaw<LedgerRow[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs", known."version", known."ledger"
    FROM (SELECT 1) AS one LEFT JOIN "QuotaLedger" AS known ON known."userId" = ${userId}::uuid`;
  const { nowMs = 0, version = null, ledger } = row ?? {};
  const stored = version === null ? undefined : toLedger(ledger);
  return { ledger: toCurrentLedger(stored, nowMs), nowMs, version };
};

/** Saves a ledger unless another process has saved one since it was read; returns whether it did. */
export const saveLedger = async (
  database: Database,
  userId: string,
  { ledger, version }: Pick<ReadLedger, 'ledger' | 'version'>,
): Promise<boolean> => {
  const slots = ledger.slots.map(({ slot, interactive, background }) => [slot, interactive, background]);
  const saved = await database.$executeRaw`
    INSERT INTO "QuotaLedger" AS known ("userId", "version", "ledger")
    VALUES (${userId}::uuid, 1, ${JSON.stringify({ ...ledger, slots })}::jsonb)
    ON CONFLICT ("userId") DO UPDATE SET "ledger" = excluded."ledger", "version" = known."version" + 1
    WHERE known."version" = ${version ?? -1}::int`;
  return saved === 1;
};
