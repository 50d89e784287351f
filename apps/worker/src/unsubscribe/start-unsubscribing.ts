import { claimDueUnsubscribe, createRunUnsubscribe } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mailbox-sync';
import {
  createOutageLog,
  exponentialDelay,
  type Lifecycle,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import { createCallUnsubscribe } from './call-unsubscribe.ts';

/** How long a loop idles when no request is due, in milliseconds. */
const IDLE_MS = 3_000;
/** Calls at once; most of the time each waits for the sender's server. */
const CONCURRENCY = 4;

/** Starts to send requests to unsubscribe that are due. Calls in flight at shutdown are finished. */
export const startUnsubscribing = (dependencies: {
  database: Database;
  cipher: TextCipher;
  allowPrivateAddresses: boolean;
  logger: Logger;
  lifecycle: Lifecycle;
}): void => {
  const { database, cipher, allowPrivateAddresses, logger, lifecycle } = dependencies;
  const call = createCallUnsubscribe({ policy: { allowPrivate: allowPrivateAddresses } });
  const runUnsubscribe = createRunUnsubscribe({ database, cipher, call, logger });
  const takeDue = async (): Promise<boolean> => {
    const claimed = await claimDueUnsubscribe(database);
    if (claimed !== null) await runUnsubscribe(claimed);
    return claimed !== null;
  };
  const outageLog = createOutageLog(logger, 'requests to unsubscribe');
  const retryDelayMs = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });
  const loops = Array.from({ length: CONCURRENCY }, () =>
    startBackgroundLoop({ task: takeDue, intervalMs: IDLE_MS, retryDelayMs, outageLog }),
  );
  lifecycle.onClose('requests to unsubscribe', async () => {
    await Promise.all(loops.map((loop) => loop.close()));
  });
};
