import { createScanMailbox, type OpenScanMailbox, type ScanEvent } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { MlClient } from '@mailsweep/ml-client';
import type { createMailboxAccess } from '@mailsweep/provider-connection';
import type { Logger } from '@mailsweep/service-kit';
import type { WorkSteps } from '../due-work/start-due-work.ts';
import { openMeteredMailbox } from '../metered-mailbox.ts';
import type { ScanConfig } from './scan-config.ts';

/** The steps of scans, at background priority. */
export const createScanSteps = (dependencies: {
  config: ScanConfig;
  mailboxAccess: ReturnType<typeof createMailboxAccess>;
  mlClient: MlClient;
  database: Database;
  logger: Logger;
  observe: (event: ScanEvent) => void;
}): WorkSteps => {
  const { config, mailboxAccess } = dependencies;
  const stopping = new AbortController();
  const openScanMailbox: OpenScanMailbox = (userId) =>
    openMeteredMailbox(mailboxAccess, userId, stopping.signal);
  return {
    takeStep: createScanMailbox({
      ...dependencies,
      openScanMailbox,
      openMessageStore: mailboxAccess.openMessageStore,
      publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
    }),
    stopping,
    onGivenUp: () => dependencies.observe({ type: 'ended', outcome: 'timed_out' }),
  };
};
