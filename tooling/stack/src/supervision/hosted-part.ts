import type { Logger } from '@mailsweep/service-kit';
import type { PartExit, PartProcess } from './part-process.ts';

export interface HostedService {
  close(): Promise<void>;
  /** Resolves when it has ended by itself. */
  ended?: Promise<PartExit>;
}

/** Runs a part inside this process, under the same rules as one with a process of its own. */
export const hostPart = (
  part: { open: (logger: Logger) => Promise<HostedService> },
  logger: Logger,
): PartProcess => {
  const exit = Promise.withResolvers<PartExit>();
  const opening = part.open(logger);
  opening.then(
    (service) => service.ended?.then(exit.resolve),
    (error: unknown) => {
      logger.error({ err: error }, 'could not start');
      exit.resolve('could not be started');
    },
  );
  const close = async (): Promise<void> => {
    try {
      await (await opening).close();
    } catch (error) {
      logger.error({ err: error }, 'could not close');
    }
    exit.resolve('was closed');
  };
  return {
    pid: undefined,
    exited: exit.promise,
    terminate: () => void close(),
    kill: () => exit.resolve('was given up'),
  };
};
