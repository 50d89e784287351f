/**
 * Does work that holds a lease, and renews the lease at an interval until the work has ended. The work goes on when a
 * renewal fails: what it writes has to be guarded by the lease itself.
 *
 * @param options.renew - rejects when the lease could not be renewed
 * @param options.onFailure - called with what it rejected with
 */
export const whileRenewing = async <T>(
  work: () => Promise<T>,
  options: { renew: () => Promise<unknown>; intervalMs: number; onFailure: (error: unknown) => void },
): Promise<T> => {
  const timer = setInterval(() => void options.renew().catch(options.onFailure), options.intervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
