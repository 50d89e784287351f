import type { Logger } from '../logger.ts';

export interface OutageLog {
  failed(error: unknown): void;
  recovered(): void;
}

/** Logs one line when an outage begins and one when it ends, however many errors occur in between. */
export const createOutageLog = (logger: Logger, what: string): OutageLog => {
  let isOut = false;
  return {
    failed(error) {
      if (!isOut) logger.warn({ err: error }, `${what}: unavailable, retrying`);
      isOut = true;
    },
    recovered() {
      if (isOut) logger.info(`${what}: available again`);
      isOut = false;
    },
  };
};
