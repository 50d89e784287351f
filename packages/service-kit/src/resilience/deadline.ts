/**
 * Waits for work no longer than a deadline; the work itself goes on.
 *
 * @param deadlineMs - from now, in milliseconds
 * @param toError - what to reject with when time is up
 */
export const withDeadline = async <T>(
  work: Promise<T>,
  deadlineMs: number,
  toError: () => Error,
): Promise<T> => {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(toError()), deadlineMs);
  return Promise.race([work, deadline.promise]).finally(() => clearTimeout(timer));
};
