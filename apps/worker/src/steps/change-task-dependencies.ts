import type { OpenMailbox, PlanExecutor } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { JobOutcome, QueueBackend } from '@mailsweep/event-bus';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';

/** What tasks that change mailboxes are started with. */
export interface ChangeTaskDependencies {
  database: Database;
  openMailbox: OpenMailbox;
  planExecutor: PlanExecutor;
  queue: QueueBackend;
  logger: Logger;
  lifecycle: Lifecycle;
  onOutcome: (outcome: JobOutcome) => void;
}
