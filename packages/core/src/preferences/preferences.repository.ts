import {
  DEFAULT_NOTIFICATIONS,
  mergeNotifications,
  type Preferences,
  UpdateNotificationPreferencesSchema,
  type UpdatePreferencesRequest,
} from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';

type PreferencesRow = Prisma.UserPreferencesGetPayload<object>;

const DEFAULTS: Preferences = {
  watch: { enabled: false, everyMinutes: 15 },
  timeZone: null,
  notifications: DEFAULT_NOTIFICATIONS,
};

const toPreferences = (row: PreferencesRow): Preferences => ({
  watch: { enabled: row.watchEnabled, everyMinutes: row.watchEveryMinutes },
  timeZone: row.timeZone,
  notifications: mergeNotifications(
    DEFAULT_NOTIFICATIONS,
    UpdateNotificationPreferencesSchema.parse(row.notifications),
  ),
});

/** What a user chose, and the defaults of the rest. */
export const findPreferences = async (
  database: Database | Transaction,
  userId: string,
): Promise<Preferences> => {
  const row = await database.userPreferences.findUnique({ where: { userId } });
  return row === null ? DEFAULTS : toPreferences(row);
};

/**
 * Stores what a user chose; what the changes leave out stays as it is.
 *
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const savePreferences = async (
  tx: Transaction,
  userId: string,
  { watch, timeZone, notifications }: UpdatePreferencesRequest,
): Promise<Preferences> => {
  const before = await findPreferences(tx, userId);
  const changes = {
    ...(watch?.enabled !== undefined && { watchEnabled: watch.enabled }),
    ...(watch?.everyMinutes !== undefined && { watchEveryMinutes: watch.everyMinutes }),
    ...(timeZone !== undefined && { timeZone }),
    ...(notifications && { notifications: mergeNotifications(before.notifications, notifications) }),
  };
  const row = await tx.userPreferences.upsert({
    where: { userId },
    create: { userId, ...changes },
    update: changes,
  });
  return toPreferences(row);
};
