import type { NotificationPreferences, UpdateNotificationPreferences } from './notification-preferences.ts';
import type { Preferences } from './preferences.ts';
import type { TrainingDataPreferences, UpdateTrainingDataPreferences } from './training-data-preferences.ts';

/** Notifications by default. */
export const DEFAULT_NOTIFICATIONS: NotificationPreferences = {
  alert: { push: false, webhook: false, minConfidence: 0.7 },
  digest: { push: false, webhook: false, every: 'off', hour: 8, weekday: 1 },
  attention: { push: false, webhook: false },
  quietHours: null,
  content: 'full',
};

/** Preferences by default. */
export const DEFAULT_PREFERENCES: Preferences = {
  watch: { enabled: false, everyMinutes: 15 },
  timeZone: null,
  notifications: DEFAULT_NOTIFICATIONS,
  historyRetentionDays: null,
  labelNames: {},
  trainingData: { enabled: false, sender: 'domain', subject: 'omitted' },
  webhookAvailable: false,
};

/** Merges changes into the user's choice of notifications. */
export const mergeNotifications = (
  before: NotificationPreferences,
  { alert, digest, attention, quietHours, content }: UpdateNotificationPreferences,
): NotificationPreferences => ({
  alert: { ...before.alert, ...withoutUndefined(alert) },
  digest: { ...before.digest, ...withoutUndefined(digest) },
  attention: { ...before.attention, ...withoutUndefined(attention) },
  quietHours: quietHours === undefined ? before.quietHours : quietHours,
  content: content ?? before.content,
});

/** Merges changes into the user's choice of training data. */
export const mergeTrainingData = (
  before: TrainingDataPreferences,
  changes: UpdateTrainingDataPreferences | undefined,
): TrainingDataPreferences => ({ ...before, ...withoutUndefined(changes) });

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const withoutUndefined = <T extends object>(changes: T = {} as T): Defined<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
