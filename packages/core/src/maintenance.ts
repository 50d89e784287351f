import type { KeyObject } from 'node:crypto';
import type { TrainingDecision } from '@mailsweep/contracts';
import { type Database, listenToChannel } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { createEraseUser } from './account/erase-user.ts';
import { deleteExpiredRecords } from './account/expired-records.repository.ts';
import {
  claimDueWork,
  countWork,
  giveUpParkedWork,
  giveUpStuckWork,
  listParkedWork,
  resumeParkedWork,
  WORK_CHANNEL,
} from './due-work/due-work.repository.ts';
import { WORK_KINDS, type WorkKind } from './due-work/work-kinds.repository.ts';
import { measurePendingIntents } from './intents/action-intent.repository.ts';
import { measureNotifications } from './notifications/notification.repository.ts';
import { createReencryption } from './reencryption/reencrypt-senders.repository.ts';
import { countActiveScans } from './scan/mailbox-scan.repository.ts';
import {
  exportTrainingData,
  type TrainingDataCounts,
} from './training-data/export-training-data.repository.ts';
import {
  holdWatches,
  leaveWatches,
  makeWatchDue,
  measureWatches,
  resumeWatches,
} from './watch/mailbox-watch.repository.ts';

/** What workers and operators do over the database of all users; it needs no mailbox. */
export const createMaintenance = (database: Database) => ({
  deleteExpiredRecords: (limit: number) => deleteExpiredRecords(database, limit),

  /** Work that is due in the database (docs/decisions/052). */
  work: {
    kinds: WORK_KINDS,
    /** @param now - in place of the clock of the database */
    claim: (kind: WorkKind, now?: Date) => claimDueWork(database, kind, now),
    /** Tells of the kinds of work that become due, until the signal fires or the connection is lost. */
    listen: (options: Omit<Parameters<typeof listenToChannel>[0], 'channel'>) =>
      listenToChannel({ ...options, channel: WORK_CHANNEL }),
    giveUpStuck: (kind: WorkKind) => giveUpStuckWork(database, kind),
    /** How much of each kind is in progress, and how much is parked: it waits for an operator. */
    count: () =>
      Promise.all(WORK_KINDS.map(async (kind) => ({ kind, ...(await countWork(database, kind)) }))),
    async listParked() {
      const lists = WORK_KINDS.map(async (kind) =>
        (await listParkedWork(database, kind)).map((work) => ({ kind, ...work })),
      );
      return (await Promise.all(lists)).flat();
    },
    resumeParked: (kind: WorkKind, id: string) => resumeParkedWork(database, kind, id),
    giveUpParked: (kind: WorkKind, id: string) => giveUpParkedWork(database, kind, id),
  },

  /** The watches of mailboxes whose servers tell of new email (docs/decisions/074). */
  watches: {
    hold: (listenerId: string, options: { providers: readonly string[]; most: number }) =>
      holdWatches(database, listenerId, options),
    leave: (listenerId: string) => leaveWatches(database, listenerId),
    makeDue: (userId: string) => makeWatchDue(database, userId),
    /** Has watches go on that a new sign-in makes possible again; returns how many. */
    resume: () => resumeWatches(database),
  },

  measurePendingIntents: () => measurePendingIntents(database),
  measureNotifications: () => measureNotifications(database),
  measureWatches: () => measureWatches(database),
  countActiveScans: () => countActiveScans(database),

  reencryption: (keys: Omit<Parameters<typeof createReencryption>[0], 'database'>) =>
    createReencryption({ database, ...keys }),

  exportTrainingData: (options: {
    cipher: TextCipher;
    key: KeyObject;
    counts: TrainingDataCounts;
  }): AsyncGenerator<TrainingDecision> => exportTrainingData({ database, ...options }),

  eraseUser: (ports: Omit<Parameters<typeof createEraseUser>[0], 'database'>, userId: string) =>
    createEraseUser({ database, ...ports })(userId),
});

export type Maintenance = ReturnType<typeof createMaintenance>;
