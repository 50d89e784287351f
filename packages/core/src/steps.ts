import type { KeyObject } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox, OpenMeteredMailbox } from '@mailsweep/mail/mailbox';
import type { OpenMessageStore, TextCipher } from '@mailsweep/mail/message-cache';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { createRunCleanup } from './cleanups/running/run-cleanup.ts';
import type { LeasedWork } from './due-work/due-work.repository.ts';
import { createRunStep, type TakeStep } from './due-work/run-step.ts';
import type { WorkKind } from './due-work/work-kinds.repository.ts';
import type { IntentExecutor } from './intents/intent-executor.ts';
import {
  createDeliverNotifications,
  type Deliveries,
  type SendNotificationWebhook,
  type SendPush,
} from './notifications/deliver-notifications.ts';
import { takeDigest } from './notifications/digest.repository.ts';
import { createRunDueRules } from './rule-runs/run-rules.ts';
import { createScanMailbox, type ScanEvent } from './scan/scan-mailbox.ts';
import { type CallUnsubscribe, createRunUnsubscribe } from './unsubscribing/run-unsubscribe.ts';
import { findLeasedWatch } from './watch/mailbox-watch.repository.ts';
import { createRunWatch, type WatchRun } from './watch/run-watch.ts';

/** What the steps of due work need of a worker, beside what every process gives. */
export interface WorkerPorts {
  openMeteredMailbox: OpenMeteredMailbox;
  openMessageStore: OpenMessageStore;
  callUnsubscribe: CallUnsubscribe;
  /** Undefined where the operator has not set up push. */
  sendPush: SendPush | undefined;
  /** Undefined where the operator does not forward notifications. */
  sendWebhook: SendNotificationWebhook | undefined;
  /** For metrics. */
  observe: {
    scan: (event: ScanEvent) => void;
    watch: (run: WatchRun) => void;
    notifications: (deliveries: Deliveries) => void;
  };
}

export const createSteps = (
  dependencies: WorkerPorts & {
    database: Database;
    cipher: TextCipher;
    senderKey: KeyObject;
    notificationCipher: TextCipher;
    openMailbox: OpenMailbox;
    intentExecutor: IntentExecutor;
    mlClient: MlClient;
    publishThreshold: number;
    onEventRecorded: () => void;
    takeUndoStep: TakeStep;
    cleanupStepSize: number | undefined;
    logger: Logger;
    nowMs?: () => number;
  },
) => {
  const { database, observe, notificationCipher, nowMs = Date.now } = dependencies;
  const notifying = { ...dependencies, cipher: notificationCipher };
  const runWatch = createRunWatch({ ...dependencies, runDueRules: createRunDueRules(dependencies) });
  const deliver = createDeliverNotifications(notifying);

  const steps: Record<WorkKind, TakeStep> = {
    scan: createScanMailbox({ ...dependencies, observe: observe.scan }),
    cleanup: createRunCleanup({ ...dependencies, stepSize: dependencies.cleanupStepSize }),
    undo: dependencies.takeUndoStep,
    async watch(work, stopping) {
      const watch = await findLeasedWatch(database, work);
      if (watch !== null) observe.watch(await runWatch(watch, stopping));
      return { kind: 'over' };
    },
    unsubscribe: createRunUnsubscribe({ ...dependencies, call: dependencies.callUnsubscribe }),
    async notification(work, stopping) {
      observe.notifications(await deliver(work, stopping));
      return { kind: 'over' };
    },
    async digest(work) {
      await takeDigest(notifying, work, nowMs());
      return { kind: 'over' };
    },
  };

  return {
    take: (kind: WorkKind, work: LeasedWork, stopping: AbortSignal) => steps[kind](work, stopping),

    /** Takes a step and ends the lease; without `stopping`, the step gets the time to end. */
    run: (kind: WorkKind, work: LeasedWork, stopping?: AbortSignal): Promise<void> =>
      createRunStep(dependencies, kind, steps[kind])(work, stopping),
  };
};
