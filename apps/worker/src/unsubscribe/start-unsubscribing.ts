import { claimDueUnsubscribe, createRunUnsubscribe } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mailbox-sync';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { startDueWork } from '../due-work.ts';
import { createCallUnsubscribe } from './call-unsubscribe.ts';

const IDLE_MS = 3_000;
/** Calls at once; most of the time each waits for the sender's server. */
const CONCURRENCY = 4;

/** Starts to send requests to unsubscribe that are due. Calls in flight at shutdown get the time to end. */
export const startUnsubscribing = (dependencies: {
  database: Database;
  cipher: TextCipher;
  allowPrivateAddresses: boolean;
  logger: Logger;
  lifecycle: Lifecycle;
}): void => {
  const { database, cipher, allowPrivateAddresses, logger } = dependencies;
  const call = createCallUnsubscribe({ policy: { allowPrivate: allowPrivateAddresses } });
  startDueWork(dependencies, {
    name: 'requests to unsubscribe',
    claim: () => claimDueUnsubscribe(database),
    run: createRunUnsubscribe({ database, cipher, call, logger }),
    concurrency: CONCURRENCY,
    idleMs: IDLE_MS,
  });
};
