import { COUNTED_MS, type QuotaLimits, type QuotaStore, SLOT_MS, toCeilings } from '../quota.ts';
import { type Ledger, pauseLedger, postponeInLedger, takeFromLedger, toCurrentLedger } from './ledger.ts';

/**
 * Keeps count of quota units in the memory of this process.
 *
 * @throws {RangeError} for limits under which no call could ever be made
 */
export const createMemoryQuotaStore = (options: QuotaLimits & { nowMs?: () => number }): QuotaStore => {
  const { nowMs = Date.now } = options;
  const ceilings = toCeilings(options);
  const ledgers = new Map<string, Ledger>();
  let sweptAtMs = nowMs();

  const deleteIdle = (): void => {
    if (nowMs() - sweptAtMs < COUNTED_MS) return;
    sweptAtMs = nowMs();
    for (const [userId, { slots, pausedUntilMs, heldUntilMs }] of ledgers) {
      const isCounted = slots.some(({ slot }) => slot * SLOT_MS + COUNTED_MS > nowMs());
      if (Math.max(pausedUntilMs, heldUntilMs) <= nowMs() && !isCounted) ledgers.delete(userId);
    }
  };

  const openLedger = (userId: string): Ledger => {
    deleteIdle();
    const ledger = toCurrentLedger(ledgers.get(userId), nowMs());
    ledgers.set(userId, ledger);
    return ledger;
  };

  return {
    take: async (userId, prices, priority) =>
      takeFromLedger(openLedger(userId), prices, { priority, ceilings, nowMs: nowMs() }),
    postpone: async (userId, charge) => postponeInLedger(openLedger(userId), charge, nowMs()),
    pause: async (userId, pauseMs) => pauseLedger(openLedger(userId), pauseMs, nowMs()),
  };
};
