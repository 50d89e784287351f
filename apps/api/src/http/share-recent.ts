/**
 * Shares a reading among all who ask while it is in flight, and for some time after.
 *
 * @param read - must not reject
 * @param reuseMs - how long a result is reused, in milliseconds
 */
export const shareRecent = <T>(read: () => Promise<T>, reuseMs: number): (() => Promise<T>) => {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read().finally(() => {
      setTimeout(() => {
        reading = undefined;
      }, reuseMs).unref();
    });
    return reading;
  };
};
