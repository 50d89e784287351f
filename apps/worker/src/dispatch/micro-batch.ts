/** Takes items one by one and deals with them together. */
export interface MicroBatch<Item> {
  /** Resolves or rejects as the whole batch does. */
  add(item: Item): Promise<void>;
}

interface Entry<Item> {
  item: Item;
  outcome: PromiseWithResolvers<void>;
}

/**
 * Collects items while the batch before them is under way, so that one statement does what many would and there is
 * always a batch to deal with. With none under way a batch goes once it is half full, since the other half may still
 * be coming from the batch before, or has lingered. Nothing is left behind: whoever waits for the items they added
 * waits for all of them.
 *
 * @param options.maxSize - items of a full batch, which waits for no other
 * @param options.lingerMs - longest wait for further items, in milliseconds
 * @param options.longestWaitMs - longest wait for the batch before, in milliseconds: a slow one holds up no others
 * @param options.run - deals with a batch; rejecting fails all of its items
 */
export const createMicroBatch = <Item>(options: {
  maxSize: number;
  lingerMs: number;
  longestWaitMs: number;
  run: (items: Item[]) => Promise<void>;
}): MicroBatch<Item> => {
  const { maxSize } = options;
  let waiting: Entry<Item>[] = [];
  let underWay = 0;
  let hasLingered = false;
  let timers: NodeJS.Timeout[] = [];

  const flush = async () => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    hasLingered = false;
    const batch = waiting;
    waiting = [];
    underWay += 1;
    try {
      await options.run(batch.map(({ item }) => item));
      for (const { outcome } of batch) outcome.resolve();
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error);
    }
    underWay -= 1;
    flushIfDue();
  };

  const flushIfDue = () => {
    const isFree = underWay === 0 && (hasLingered || waiting.length >= maxSize / 2);
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
