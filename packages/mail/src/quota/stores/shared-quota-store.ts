import { CircuitOpenError, createCircuitBreaker } from '@mailsweep/service-kit/resilience';
import { type CallPriority, COUNTED_MS, type QuotaGrant, type QuotaStore } from '../quota.ts';

/** Cool-down after an error of the shared store, in milliseconds: only one call in each cool-down waits for its time-out. */
const COOL_DOWN_MS = 1_000;
/** A slot that no units were ever noted in. */
const NO_SLOT = -1;

type Unshared = Record<CallPriority, number> & { lastAtMs: number };

/**
 * Counts in the store that all replicas share, and in the memory of this process while that one is away. Memory
 * knows what this process took before, and the shared store hears afterwards what was taken meanwhile; only what
 * other replicas take during an outage goes unseen.
 *
 * @param options.onUnavailable - is told why the shared store failed, once for each attempt
 */
export const createSharedQuotaStore = (options: {
  shared: QuotaStore;
  local: QuotaStore;
  onUnavailable: (error: unknown) => void;
  nowMs?: () => number;
}): QuotaStore => {
  const { shared, local, onUnavailable, nowMs = Date.now } = options;
  const unshared = new Map<string, Unshared>();
  const breaker = createCircuitBreaker({ failureThreshold: 1, coolDownMs: COOL_DOWN_MS, nowMs });

  /** Asks the shared store; undefined when it is away. */
  const ask = async <T>(question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await breaker.run(question);
    } catch (error) {
      if (!(error instanceof CircuitOpenError)) onUnavailable(error);
      return undefined;
    }
  };

  const remember = (userId: string, priority: CallPriority, units: number): void => {
    for (const [other, { lastAtMs }] of unshared) {
      if (lastAtMs + COUNTED_MS > nowMs()) break;
      unshared.delete(other);
    }
    const known = unshared.get(userId) ?? { interactive: 0, background: 0, lastAtMs: 0 };
    unshared.delete(userId);
    unshared.set(userId, { ...known, [priority]: known[priority] + units, lastAtMs: nowMs() });
  };

  const report = async (userId: string): Promise<void> => {
    const missed = unshared.get(userId);
    if (missed === undefined) return;
    unshared.delete(userId);
    if (missed.lastAtMs + COUNTED_MS <= nowMs()) return;
    try {
      for (const priority of ['interactive', 'background'] as const) {
        const units = missed[priority];
        if (units > 0) await shared.postpone(userId, { slot: NO_SLOT, units, priority });
        missed[priority] = 0;
      }
    } catch (error) {
      // Calls that were refused during this one have counted more meanwhile.
      const since = unshared.get(userId) ?? { interactive: 0, background: 0, lastAtMs: 0 };
      unshared.set(userId, {
        interactive: missed.interactive + since.interactive,
        background: missed.background + since.background,
        lastAtMs: Math.max(missed.lastAtMs, since.lastAtMs),
      });
      throw error;
    }
  };

  return {
    async take(userId, prices, priority) {
      const grant = await ask(async (): Promise<QuotaGrant> => {
        await report(userId);
        return await shared.take(userId, prices, priority);
      });
      if (grant !== undefined) {
        await local.take(userId, prices.slice(0, grant.granted), priority);
        return grant;
      }
      const own = await local.take(userId, prices, priority);
      const units = prices.slice(0, own.granted).reduce((sum, price) => sum + price, 0);
      if (units > 0) remember(userId, priority, units);
      return own;
    },
    async postpone(userId, charge) {
      await ask(() => shared.postpone(userId, charge));
      await local.postpone(userId, charge);
    },
    async pause(userId, pauseMs) {
      await ask(() => shared.pause(userId, pauseMs));
      await local.pause(userId, pauseMs);
    },
  };
};
