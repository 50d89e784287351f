import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Maintenance } from '@mailsweep/core';
import { MailboxError } from '@mailsweep/mail/mailbox';
import type { MailboxAccess } from '@mailsweep/mail/provider-connection';
import {
  createOutageLog,
  exponentialDelay,
  type Lifecycle,
  type Logger,
  resolvesWithin,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import { onBehalfOf } from '@mailsweep/service-kit/outgoing-calls';
import { Gauge, type Registry } from 'prom-client';

/** Most connections of one worker; mailboxes beyond are checked at their times alone. */
const MAX_LISTENERS = 500;
/** How often the watches to listen to are looked for, in milliseconds; they stay with this worker for three times that. */
const INTERVAL_MS = 30_000;
/** A connection that stood for so long was none that failed, in milliseconds. */
const LASTING_MS = 60_000;
/** Pause where a server has no event source, and where the user or the operator has to act, in milliseconds. */
const RESOLVING_MS = 60 * 60_000;
/** Fewest milliseconds between two runs that changes make due: a cleanup makes many changes. */
const GAP_MS = 5_000;
/** How soon it is tried again to make a watch due that is being run, in milliseconds. */
const RETRY_MS = 1_000;
const CLOSE_TIMEOUT_MS = 2_000;

const RECONNECT_DELAY = exponentialDelay({ firstMs: 2_000, longestMs: 10 * 60_000 });
const PASSING_FAULTS: readonly string[] = ['mailbox_unavailable', 'rate_limited', 'failed'];

/** Resolves after so many milliseconds, or as soon as the signal fires. */
const pause = (delayMs: number, signal: AbortSignal): Promise<void> =>
  sleep(delayMs, undefined, { signal }).catch(() => undefined);

/** How often users who have signed in again are looked for, in milliseconds. */
const RESUME_INTERVAL_MS = 30_000;

/** Has watches go on after a new sign-in. */
export const startResumingWatches = (dependencies: {
  maintenance: Maintenance;
  logger: Logger;
  lifecycle: Lifecycle;
}): void => {
  const { maintenance, logger, lifecycle } = dependencies;
  const resume = startBackgroundLoop({
    async task() {
      const resumed = await maintenance.watches.resume();
      if (resumed > 0) logger.info({ count: resumed }, 'watches go on after a new sign-in');
      return false;
    },
    intervalMs: RESUME_INTERVAL_MS,
    outageLog: createOutageLog(logger, 'resuming watches'),
  });
  lifecycle.onClose('resuming watches', () => resume.close());
};

interface Dependencies {
  mailboxAccess: Pick<MailboxAccess, 'listenToMailbox' | 'listenableProviders'>;
  maintenance: Maintenance;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}

/**
 * Has the watches of mailboxes whose servers tell of changes run as soon as something has changed
 * (docs/decisions/074). All others, and these while no worker listens, run at their times.
 */
export const startWatchListeners = (dependencies: Dependencies): void => {
  const { mailboxAccess, maintenance, logger, lifecycle, registry } = dependencies;
  const { listenableProviders: providers } = mailboxAccess;
  if (providers.length === 0) return;
  const listenerId = randomUUID();
  const listeners = new Map<string, { stopping: AbortController; ended: Promise<void> }>();
  const connected = new Set<string>();
  new Gauge({
    name: 'mailsweep_watch_listeners',
    help: 'Mailboxes whose servers tell this worker of new email.',
    registers: [registry],
    collect() {
      this.set(connected.size);
    },
  });

  /** Listens over one connection; returns how long to wait before the next, in milliseconds. */
  const listenOnce = async (userId: string, failures: number, signal: AbortSignal, onChange: () => void) => {
    try {
      const listening = {
        signal,
        onChange() {
          connected.add(userId);
          onChange();
        },
      };
      const end = await onBehalfOf(userId, () => mailboxAccess.listenToMailbox(userId, listening));
      return end === 'unsupported' ? RESOLVING_MS : RECONNECT_DELAY(failures);
    } catch (error) {
      logger.debug({ userId, err: error }, 'a mail server does not tell of new email');
      // The run notes it, and has the user told.
      if (error instanceof MailboxError && error.code === 'reauth_required') onChange();
      const isPassing = !(error instanceof MailboxError) || PASSING_FAULTS.includes(error.code);
      const retryAfterMs = error instanceof MailboxError ? (error.retryAfterMs ?? 0) : 0;
      return isPassing ? Math.max(RECONNECT_DELAY(failures), retryAfterMs) : RESOLVING_MS;
    } finally {
      connected.delete(userId);
    }
  };

  const listen = async (userId: string, signal: AbortSignal): Promise<void> => {
    let hasChanged = false;
    const runs = startBackgroundLoop({
      async task() {
        if (!hasChanged || signal.aborted) return false;
        hasChanged = false;
        const isDue = await maintenance.watches.makeDue(userId).catch((error: unknown) => {
          hasChanged = true;
          throw error;
        });
        hasChanged ||= !isDue;
        await pause(isDue ? GAP_MS : RETRY_MS, signal);
        return hasChanged;
      },
      intervalMs: RESOLVING_MS,
      outageLog: createOutageLog(logger, 'having a watch run'),
    });
    for (let failures = 1; !signal.aborted; failures += 1) {
      const startedMs = Date.now();
      const waitMs = await listenOnce(userId, failures, signal, () => {
        hasChanged = true;
        runs.wake();
      });
      if (Date.now() - startedMs > LASTING_MS) failures = 0;
      await pause(waitMs, signal);
    }
    await runs.close();
  };

  const holding = startBackgroundLoop({
    async task() {
      const held = new Set(await maintenance.watches.hold(listenerId, { providers, most: MAX_LISTENERS }));
      for (const [userId, { stopping }] of listeners) if (!held.has(userId)) stopping.abort();
      for (const userId of held.difference(new Set(listeners.keys()))) {
        const stopping = new AbortController();
        const ended = listen(userId, stopping.signal).finally(() => listeners.delete(userId));
        listeners.set(userId, { stopping, ended });
      }
      return false;
    },
    intervalMs: INTERVAL_MS,
    outageLog: createOutageLog(logger, 'listening to mailboxes'),
  });
  lifecycle.onClose('listening to mailboxes', async () => {
    await holding.close();
    const running = [...listeners.values()];
    for (const { stopping } of running) stopping.abort();
    await Promise.all(running.map(({ ended }) => ended));
    const left = maintenance.watches
      .leave(listenerId)
      .catch((error: unknown) =>
        logger.debug({ err: error }, 'watches stay with this worker until others take them over'),
      );
    await resolvesWithin(left, CLOSE_TIMEOUT_MS);
  });
};
