import { z } from 'zod';
import { LabelNamesSchema, UpdateLabelNamesSchema } from '../suggestions/label-names.ts';
import { HISTORY_RETENTION_DAYS, WATCH_INTERVALS } from '../values/choices.ts';
import {
  NotificationPreferencesSchema,
  UpdateNotificationPreferencesSchema,
} from './notification-preferences.ts';
import {
  TrainingDataPreferencesSchema,
  UpdateTrainingDataPreferencesSchema,
} from './training-data-preferences.ts';

const MAX_TIME_ZONE_LENGTH = 64;

const isTimeZone = (name: string): boolean => {
  // `Intl` also takes offsets such as `+01:00`, without summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const IntervalSchema = z
  .literal(WATCH_INTERVALS, { error: `must be one of ${WATCH_INTERVALS.join(', ')}` })
  .meta({ description: 'Minutes between two checks of the mailbox.', example: 15 });

const EnabledSchema = z.boolean().meta({
  description: 'Whether Mailsweep keeps looking for new email and stores suggestions for it.',
});

const TIME_ZONE = 'Name of a time zone in the IANA database; null when it is not known.';

const TimeZoneSchema = z
  .string()
  .max(MAX_TIME_ZONE_LENGTH)
  .refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Berlin' })
  .nullable()
  .meta({ description: TIME_ZONE, example: 'Europe/Berlin' });

const RETENTION =
  'Days after which history records, events and stored suggestions are deleted; what is deleted can no longer be undone. null: never.';

const RetentionSchema = z
  .literal(HISTORY_RETENTION_DAYS, { error: `must be null or one of ${HISTORY_RETENTION_DAYS.join(', ')}` })
  .nullable()
  .meta({ description: RETENTION, example: 365 });

/** Response of `GET /api/v1/me/preferences`, for all devices. */
export const PreferencesSchema = z
  .object({
    watch: z.object({ enabled: EnabledSchema, everyMinutes: z.number().int().min(1) }),
    timeZone: z.string().nullable().meta({ description: TIME_ZONE }),
    notifications: NotificationPreferencesSchema,
    historyRetentionDays: z.number().int().min(1).nullable().meta({ description: RETENTION }),
    labelNames: LabelNamesSchema,
    trainingData: TrainingDataPreferencesSchema,
    webhookAvailable: z.boolean().meta({
      description: 'Whether the operator forwards notifications to a workflow service. Read only.',
    }),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof PreferencesSchema>;

/** Body of `PATCH /api/v1/me/preferences`: omitted fields stay. */
export const UpdatePreferencesRequestSchema = z
  .strictObject({
    watch: z
      .strictObject({ enabled: EnabledSchema.optional(), everyMinutes: IntervalSchema.optional() })
      .optional(),
    timeZone: TimeZoneSchema.optional(),
    notifications: UpdateNotificationPreferencesSchema.optional(),
    historyRetentionDays: RetentionSchema.optional(),
    labelNames: UpdateLabelNamesSchema.optional(),
    trainingData: UpdateTrainingDataPreferencesSchema.optional(),
  })
  .meta({ id: 'UpdatePreferencesRequest' });
export type UpdatePreferencesRequest = z.infer<typeof UpdatePreferencesRequestSchema>;
