export interface MicroBatch<Item> {
  /** Resolves or rejects as the whole batch does. */
  add(item: Item): Promise<void>;
}

interface Entry<Item> {
  item: Item;
  outcome: PromiseWithResolvers<void>;
}

/**
 * Collects items while the previous batch is in flight, so that one statement replaces many. With no batch in
 * flight, a batch starts once it is half full, since the other half may still come from the previous batch, or once
 * it has lingered. Waiting for every add() waits for all batches.
 *
 * @param options.maxSize - items of a full batch, which starts at once
 * @param options.lingerMs - longest wait for further items, in milliseconds
 * @param options.longestWaitMs - longest wait for the previous batch, in milliseconds, so that a slow one delays no others
 * @param options.run - processes a batch; rejecting fails all of its items
 */
export const createMicroBatch = <Item>(options: {
  maxSize: number;
  lingerMs: number;
  longestWaitMs: number;
  run: (items: Item[]) => Promise<void>;
}): MicroBatch<Item> => {
  const { maxSize } = options;
  let waiting: Entry<Item>[] = [];
  let inFlight = 0;
  let hasLingered = false;
  let timers: NodeJS.Timeout[] = [];

  const flush = async () => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    hasLingered = false;
    const batch = waiting;
    waiting = [];
    inFlight += 1;
    try {
      await options.run(batch.map(({ item }) => item));
      for (const { outcome } of batch) outcome.resolve();
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error);
    }
    inFlight -= 1;
    flushIfDue();
  };

  const flushIfDue = () => {
    const isFree = inFlight === 0 && (hasLingered || waiting.length >= maxSize / 2);
    if (waiting.length > 0 && (isFree || waiting.length >= maxSize)) void flush();
  };

  return {
    add(item) {
      const outcome = Promise.withResolvers<void>();
      waiting.push({ item, outcome });
      if (waiting.length === 1) {
        const endLinger = () => {
          hasLingered = true;
          flushIfDue();
        };
        timers = [setTimeout(endLinger, options.lingerMs), setTimeout(flush, options.longestWaitMs)];
      }
      flushIfDue();
      return outcome.promise;
    },
  };
};
