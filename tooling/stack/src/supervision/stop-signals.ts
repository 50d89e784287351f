const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * Ctrl-C in a terminal reaches us more than once: from the terminal, and passed on by npm and the bootstrap. What
 * comes within this time is one wish. Milliseconds.
 */
const ONE_WISH_MS = 1_000;

/**
 * Watches for wishes to end: a signal, or the end of the process that started us and holds a channel to us.
 *
 * @returns a promise for the first request to stop, and one for the second
 */
export const watchStopSignals = (options: {
  source: Pick<NodeJS.Process, 'on'>;
  nowMs: () => number;
}): { wished: Promise<void>; insisted: Promise<void> } => {
  const { source, nowMs } = options;
  const wished = Promise.withResolvers<void>();
  const insisted = Promise.withResolvers<void>();
  let firstAtMs: number | undefined;

  const takeWish = (): void => {
    firstAtMs ??= nowMs();
    wished.resolve();
    if (nowMs() - firstAtMs >= ONE_WISH_MS) insisted.resolve();
  };
  for (const signal of SIGNALS) source.on(signal, takeWish);
  source.on('disconnect', takeWish);
  return { wished: wished.promise, insisted: insisted.promise };
};
