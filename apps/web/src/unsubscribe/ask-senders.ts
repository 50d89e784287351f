/** Requests in flight at the same time. */
const AT_ONCE = 4;

/** A sender whom no request could be made for, and why. */
export interface FailedSender<T> {
  sender: T;
  error: unknown;
}

/**
 * Asks senders for no more email, a few at a time. One that fails keeps none of the others back.
 *
 * @param onDone - called with the number of those that are through
 * @returns those that failed, in their order
 */
export const askSenders = async <T>(
  senders: readonly T[],
  ask: (sender: T, index: number) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<FailedSender<T>[]> => {
  const failures = new Map<number, FailedSender<T>>();
  const left = senders.entries();
  let done = 0;
  const work = async () => {
    for (const [index, sender] of left) {
      await ask(sender, index).catch((error: unknown) => failures.set(index, { sender, error }));
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...failures].toSorted(([one], [other]) => one - other).map(([, failure]) => failure);
};
