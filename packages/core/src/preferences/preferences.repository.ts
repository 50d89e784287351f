import {
  DEFAULT_NOTIFICATIONS,
  DEFAULT_PREFERENCES,
  findLabelNamesError,
  type LabelNames,
  LabelNamesSchema,
  mergeLabelNames,
  mergeNotifications,
  type Preferences,
  type TrainingDataPreferences,
  TrainingDataPreferencesSchema,
  UpdateNotificationPreferencesSchema,
  type UpdatePreferencesRequest,
  type UpdateTrainingDataPreferences,
} from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import { InvalidFieldError } from '../refused-error.ts';

/** What a user chose; the rest of the contract's preferences is for the operator to decide. */
export type ChosenPreferences = Omit<Preferences, 'webhookAvailable'>;

type PreferencesRow = Prisma.UserPreferencesGetPayload<object>;

const toPreferences = (row: PreferencesRow): ChosenPreferences => ({
  watch: { enabled: row.watchEnabled, everyMinutes: row.watchEveryMinutes },
  timeZone: row.timeZone,
  notifications: mergeNotifications(
    DEFAULT_NOTIFICATIONS,
    UpdateNotificationPreferencesSchema.parse(row.notifications),
  ),
  historyRetentionDays: row.historyRetentionDays,
  labelNames: LabelNamesSchema.parse(row.labelNames),
  trainingData: TrainingDataPreferencesSchema.parse({
    enabled: row.trainingDataSince !== null,
    sender: row.trainingDataSender,
    subject: row.trainingDataSubject,
  }),
});

const checkLabelNames = (names: LabelNames): LabelNames => {
  const error = findLabelNamesError(names);
  if (error) throw new InvalidFieldError(`labelNames.${error.classification}`, error.message);
  return names;
};

/** The moment of enabling stays until it is disabled: later decisions alone are training data. */
const toTrainingDataColumns = (
  before: TrainingDataPreferences,
  { enabled = before.enabled, sender, subject }: UpdateTrainingDataPreferences,
  now: Date,
) => ({
  ...(sender && { trainingDataSender: sender }),
  ...(subject && { trainingDataSubject: subject }),
  ...(enabled !== before.enabled && { trainingDataSince: enabled ? now : null }),
});

/** What a user chose, and the defaults of the rest. */
export const findPreferences = async (
  database: Database | Transaction,
  userId: string,
): Promise<ChosenPreferences> => {
  const row = await database.userPreferences.findUnique({ where: { userId } });
  return row === null ? DEFAULT_PREFERENCES : toPreferences(row);
};

/**
 * Stores what a user chose; what the changes leave out stays as it is.
 *
 * @param now - decisions from then on are training data, if that is enabled now
 * @throws {InvalidFieldError} when the names of labels can't be stored together; nothing is stored then
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const savePreferences = async (
  tx: Transaction,
  userId: string,
  {
    watch,
    timeZone,
    notifications,
    historyRetentionDays,
    labelNames,
    trainingData,
  }: UpdatePreferencesRequest,
  now: Date,
): Promise<ChosenPreferences> => {
  const before = await findPreferences(tx, userId);
  const changes = {
    ...(watch?.enabled !== undefined && { watchEnabled: watch.enabled }),
    ...(watch?.everyMinutes !== undefined && { watchEveryMinutes: watch.everyMinutes }),
    ...(timeZone !== undefined && { timeZone }),
    ...(notifications && { notifications: mergeNotifications(before.notifications, notifications) }),
    ...(historyRetentionDays !== undefined && { historyRetentionDays }),
    ...(labelNames && { labelNames: checkLabelNames(mergeLabelNames(before.labelNames, labelNames)) }),
    ...(trainingData && toTrainingDataColumns(before.trainingData, trainingData, now)),
  };
  const row = await tx.userPreferences.upsert({
    where: { userId },
    create: { userId, ...changes },
    update: changes,
  });
  return toPreferences(row);
};
