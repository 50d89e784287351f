import type { Database } from '@mailsweep/database';
import { type QuotaLimits, type QuotaStore, toCeilings } from '../quota.ts';
import { type Ledger, pauseLedger, postponeInLedger, takeFromLedger } from './ledger.ts';
import { readLedger, saveLedger } from './quota-ledger.repository.ts';

/** Processes that change one user's ledger at the same moment are few; each attempt lets one of them through. */
const MAX_ATTEMPTS = 20;

interface Change {
  /** Made again where another process was quicker. */
  make: (ledger: Ledger, nowMs: number) => void;
  end: (error?: unknown) => void;
}

/**
 * Keeps count of quota units in Postgres, for all processes together, where there is no Redis: API and worker are two.
 * Like the store in Redis it rejects when the database does not respond.
 *
 * @throws {RangeError} for limits under which no call could ever be made
 */
export const createPostgresQuotaStore = (options: QuotaLimits & { database: Database }): QuotaStore => {
  const { database } = options;
  const ceilings = toCeilings(options);

  /** Changes that wait for those in flight of the same user: they are made together, whatever each statement takes. */
  const waiting = new Map<string, Change[]>();

  const changeNow = async <T>(userId: string, work: (ledger: Ledger, nowMs: number) => T): Promise<T> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { ledger, nowMs, version } = await readLedger(database, userId);
      const before = JSON.stringify(ledger);
      const result = work(ledger, nowMs);
      // A call that waits asks every second; what did not change is not written.
      if (JSON.stringify(ledger) === before) return result;
      if (await saveLedger(database, userId, { ledger, version })) return result;
    }
    throw new Error('the quota ledger of a user could not be saved');
  };

  const serve = async (userId: string): Promise<void> => {
    for (let changes = waiting.get(userId) ?? []; changes.length > 0; changes = waiting.get(userId) ?? []) {
      waiting.set(userId, []);
      try {
        await changeNow(userId, (ledger, nowMs) => changes.map(({ make }) => make(ledger, nowMs)));
        for (const { end } of changes) end();
      } catch (error) {
        for (const { end } of changes) end(error);
      }
    }
    waiting.delete(userId);
  };

  const change = <T>(userId: string, work: (ledger: Ledger, nowMs: number) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      let result: T;
      const entry: Change = {
        make: (ledger, nowMs) => {
          result = work(ledger, nowMs);
        },
        end: (error) => (error === undefined ? resolve(result) : reject(error)),
      };
      const others = waiting.get(userId);
      if (others) others.push(entry);
      else {
        waiting.set(userId, [entry]);
        void serve(userId);
      }
    });

  return {
    take: (userId, prices, priority) =>
      change(userId, (ledger, nowMs) => takeFromLedger(ledger, prices, { priority, ceilings, nowMs })),
    postpone: (userId, charge) => change(userId, (ledger, nowMs) => postponeInLedger(ledger, charge, nowMs)),
    pause: (userId, pauseMs) => change(userId, (ledger, nowMs) => pauseLedger(ledger, pauseMs, nowMs)),
  };
};
