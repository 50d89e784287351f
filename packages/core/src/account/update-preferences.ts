import type {
  AuditEvent,
  Preferences,
  TrainingDataPreferences,
  UpdatePreferencesRequest,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { insertAuditEntry, type NewAuditEntry } from '../history/audit-trail.repository.ts';
import { rescheduleNotifications } from '../notifications/digest.repository.ts';
import { lockPeers } from '../owners/owners.repository.ts';
import {
  type ChosenPreferences,
  findPreferences,
  savePreferences,
} from '../preferences/preferences.repository.ts';
import { cancelRunsOfWatch } from '../rules/rule-run.repository.ts';
import { endWatch, findWatch, startWatch } from '../watch/mailbox-watch.repository.ts';

/**
 * Changes what a user chose, starts or ends the watch and reschedules notifications accordingly. Runs of rules that
 * the watch has begun end with it. Enabling or disabling it is a matter of consent, as
 * is what becomes training data, so the audit trail lists both.
 *
 * @param client - who sent the request
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const updatePreferences = (
  database: Database,
  userId: string,
  changes: UpdatePreferencesRequest,
  client: Omit<NewAuditEntry, 'userId' | 'event'>,
  nowMs = Date.now(),
): Promise<ChosenPreferences> =>
  database.$transaction(async (tx) => {
    const isOfOwner = changes.timeZone !== undefined || changes.notifications !== undefined;
    const peers = isOfOwner ? (await lockPeers(tx, userId)).filter((id) => id !== userId) : [];
    const before = await findPreferences(tx, userId);
    const after = await savePreferences(tx, userId, changes, new Date(nowMs));
    if (!after.watch.enabled) {
      await endWatch(tx, userId);
      await cancelRunsOfWatch(tx, userId);
    } else if (!before.watch.enabled || after.watch.everyMinutes < before.watch.everyMinutes) {
      await startWatch(tx, userId);
    }
    await rescheduleNotifications(tx, userId, { before, after, nowMs });
    await shareOwnerPreferences(tx, userId, peers, nowMs);
    if (after.watch.enabled !== before.watch.enabled) {
      const event = after.watch.enabled ? 'watch_enabled' : 'watch_disabled';
      await insertAuditEntry(tx, { ...client, userId, event });
    }
    const event = toTrainingDataEvent(before.trainingData, after.trainingData);
    if (event) {
      const { sender, subject } = after.trainingData;
      await insertAuditEntry(tx, { ...client, userId, event, details: { sender, subject } });
    }
    return after;
  });

/**
 * Gives other mailboxes of an owner what the owner chose for this one and all: time zone and notifications. Each has a
 * copy, so that whatever needs it reads one row.
 */
export const shareOwnerPreferences = async (
  tx: Transaction,
  userId: string,
  peers: readonly string[],
  nowMs: number,
): Promise<void> => {
  if (peers.length === 0) return;
  const { timeZone, notifications } = await findPreferences(tx, userId);
  for (const peer of peers) {
    const before = await findPreferences(tx, peer);
    const after = await savePreferences(tx, peer, { timeZone, notifications }, new Date(nowMs));
    await rescheduleNotifications(tx, peer, { before, after, nowMs });
  }
};

/**
 * What users chose for every device, and what the watch is at.
 *
 * @param dependencies.webhookAvailable - whether the operator forwards notifications to a webhook
 */
export const createPreferences = ({
  database,
  webhookAvailable = false,
  nowMs = Date.now,
}: {
  database: Database;
  webhookAvailable?: boolean;
  nowMs?: () => number;
}) => ({
  find: async (userId: string): Promise<Preferences> => ({
    ...(await findPreferences(database, userId)),
    webhookAvailable,
  }),
  update: async (
    userId: string,
    changes: UpdatePreferencesRequest,
    client: Parameters<typeof updatePreferences>[3],
  ): Promise<Preferences> => ({
    ...(await updatePreferences(database, userId, changes, client, nowMs())),
    webhookAvailable,
  }),
  findWatch: (userId: string) => findWatch(database, userId),
});

const toTrainingDataEvent = (
  before: TrainingDataPreferences,
  after: TrainingDataPreferences,
): AuditEvent | undefined => {
  if (before.enabled !== after.enabled) {
    return after.enabled ? 'training_data_enabled' : 'training_data_disabled';
  }
  const isChanged = before.sender !== after.sender || before.subject !== after.subject;
  return after.enabled && isChanged ? 'training_data_changed' : undefined;
};
