import type { Logger } from '../logger.ts';

export interface OutageLog {
  failed(error: unknown): void;
  recovered(): void;
}

/** Turns a stream of failures into one line when an outage begins and one when it is over. */
export const createOutageLog = (logger: Logger, what: string): OutageLog => {
  let isOut = false;
  return {
    failed(error) {
      if (!isOut) logger.warn({ err: error }, `${what}: failing, trying on`);
      isOut = true;
    },
    recovered() {
      if (isOut) logger.info(`${what}: working again`);
      isOut = false;
    },
  };
};
