import { WatchStateSchema } from '@mailsweep/contracts';
import { measureWatches, WATCH_OUTCOMES, type WatchRun } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { registerReading, startAtZero } from '@mailsweep/service-kit';
import { Counter, type Registry } from 'prom-client';

/** There are no rows of watches that are off. */
const STATES = WatchStateSchema.exclude(['off']).options;

/**
 * Registers the metrics of watches: all there are, the same on every replica, and what this process has done.
 *
 * @returns counts a run
 */
export const createWatchObserver = (registry: Registry, database: Database): ((run: WatchRun) => void) => {
  const registers = [registry];
  registerReading(registry, () => measureWatches(database), [
    {
      name: 'mailsweep_watches',
      help: 'Mailboxes that are watched for new email, by state; absent while the database is unavailable.',
      labelNames: ['state'],
      show(gauge, { states }) {
        for (const state of STATES) gauge.set({ state }, states.get(state) ?? 0);
      },
    },
    {
      name: 'mailsweep_watch_overdue_seconds',
      help: 'For how long the check of a mailbox that has waited longest has been due.',
      show: (gauge, { overdueSeconds }) => gauge.set(overdueSeconds),
    },
  ]);
  const runs = new Counter({
    name: 'mailsweep_watch_runs_total',
    help: 'Checks of mailboxes by outcome: done, ended, released, or why they came to nothing.',
    labelNames: ['outcome'],
    registers,
  });
  const emails = new Counter({
    name: 'mailsweep_watch_emails_total',
    help: 'New emails that were classified.',
    registers,
  });
  startAtZero(runs, 'outcome', WATCH_OUTCOMES);
  return ({ outcome, newEmails }) => {
    runs.inc({ outcome });
    emails.inc(newEmails);
  };
};
