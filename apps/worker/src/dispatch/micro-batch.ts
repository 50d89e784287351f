/** Takes items one by one and deals with them together. */
export interface MicroBatch<Item> {
  /** Resolves or rejects as its own item fared, once the whole batch is done. */
  add(item: Item): Promise<void>;
}

interface Entry<Item> {
  item: Item;
  outcome: PromiseWithResolvers<void>;
}

/**
 * Collects items for a few milliseconds, or until there are enough, so that one statement does what many would.
 * Nothing is left behind: whoever waits for the items they added waits for all of them.
 *
 * @param options.maxSize - items of a full batch, which waits no longer
 * @param options.lingerMs - longest wait of a batch for further items, in milliseconds
 * @param options.run - deals with a batch and tells how each item fared, in their order; rejecting fails them all
 */
export const createMicroBatch = <Item>(options: {
  maxSize: number;
  lingerMs: number;
  run: (items: Item[]) => Promise<PromiseSettledResult<void>[]>;
}): MicroBatch<Item> => {
  let waiting: Entry<Item>[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    clearTimeout(timer);
    const batch = waiting;
    waiting = [];
    try {
      const results = await options.run(batch.map(({ item }) => item));
      for (const [index, { outcome }] of batch.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') outcome.resolve();
        else outcome.reject(result?.reason);
      }
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error);
    }
  };

  return {
    add(item) {
      const outcome = Promise.withResolvers<void>();
      waiting.push({ item, outcome });
      if (waiting.length >= options.maxSize) void flush();
      else if (waiting.length === 1) timer = setTimeout(flush, options.lingerMs);
      return outcome.promise;
    },
  };
};
