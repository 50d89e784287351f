import type { Logger } from './logger.ts';

/** Longest orderly shutdown, in milliseconds; after it the process ends as it is. */
const DEFAULT_SHUTDOWN_TIMEOUT_MS = 25_000;

/** Collects what has to be closed, in the order in which it was opened. */
export interface Lifecycle {
  /** Registers the counterpart of something just opened. */
  onClose(name: string, close: () => Promise<unknown> | unknown): void;
}

/**
 * Runs a process from its start to its orderly end: SIGTERM, SIGINT or a fatal error closes everything in
 * reverse order of opening. The process then exits: 0 after a signal, 1 after an error.
 */
export const runService = async (options: {
  logger: Logger;
  start: (lifecycle: Lifecycle) => Promise<void>;
  shutdownTimeoutMs?: number;
}): Promise<void> => {
  const { logger, shutdownTimeoutMs = DEFAULT_SHUTDOWN_TIMEOUT_MS } = options;
  const closers: { name: string; close: () => Promise<unknown> | unknown }[] = [];
  let isStopping = false;

  const stop = async (exitCode: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    const forceQuit = setTimeout(() => {
      logger.error('the orderly shutdown took too long');
      process.exit(1);
    }, shutdownTimeoutMs);
    forceQuit.unref();
    for (const { name, close } of closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        logger.error({ err: error, resource: name }, 'could not close');
      }
    }
    logger.info('stopped');
    process.exit(exitCode);
  };

  const stopAfterError = (error: unknown) => {
    logger.fatal({ err: error }, 'fatal error');
    void stop(1);
  };
  process.once('SIGTERM', () => void stop(0));
  process.once('SIGINT', () => void stop(0));
  process.on('uncaughtException', stopAfterError);
  process.on('unhandledRejection', stopAfterError);

  try {
    await options.start({ onClose: (name, close) => void closers.push({ name, close }) });
    logger.info('started');
  } catch (error) {
    stopAfterError(error);
  }
};
