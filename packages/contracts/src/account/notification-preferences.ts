import { z } from 'zod';
import { DIGEST_INTERVALS } from '../values/choices.ts';

const PushSchema = z.boolean().meta({ description: 'Whether it is sent to the browsers of the user.' });
const WebhookSchema = z.boolean().meta({
  description: 'Whether it is sent to the workflow service, where the operator allows that.',
});
const EverySchema = z.enum(DIGEST_INTERVALS);
const HourSchema = z.number().int().min(0).max(23).meta({
  description: 'Hour of the day at which a digest is sent, in the time zone of the user; UTC without one.',
});
const WeekdaySchema = z.number().int().min(1).max(7).meta({
  description: 'Day of a weekly digest: 1 is Monday, 7 is Sunday.',
});
const ConfidenceSchema = z.number().min(0).max(1).meta({
  description: 'Least confidence of a `notify` suggestion that is worth an alert.',
});

const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const ClockTimeSchema = z
  .string()
  .regex(CLOCK_TIME, { error: 'must be a time of day, such as 22:00' })
  .meta({ example: '22:00' });

/** When nothing is sent, in the user's time zone; may span midnight. */
export const QuietHoursSchema = z
  .strictObject({ from: ClockTimeSchema, to: ClockTimeSchema })
  .refine(({ from, to }) => from !== to, { error: 'must differ from `from`', path: ['to'] })
  .nullable()
  .meta({
    description:
      'When nothing is sent, in the time zone of the user (UTC without one); may span midnight. null: never.',
  });
export type QuietHours = z.infer<typeof QuietHoursSchema>;

const ContentSchema = z.enum(['full', 'none']).meta({
  description: '`full`: sender and subject of an email. `none`: only that there is something.',
});

/** What the user is notified about, and where. All is off at first. */
export const NotificationPreferencesSchema = z.object({
  alert: z
    .object({
      push: PushSchema,
      webhook: WebhookSchema,
      minConfidence: ConfidenceSchema,
    })
    .meta({ description: 'A new email with a `notify` suggestion, found by the watch.' }),
  digest: z
    .object({
      push: PushSchema,
      webhook: WebhookSchema,
      every: EverySchema,
      hour: HourSchema,
      weekday: WeekdaySchema,
    })
    .meta({
      description:
        'What arrived, what was cleaned and what waits. Nothing is sent when there is nothing to say.',
    }),
  attention: z
    .object({ push: PushSchema, webhook: WebhookSchema })
    .meta({ description: 'Something that only the user can resolve, such as an ended mailbox connection.' }),
  quietHours: QuietHoursSchema,
  content: ContentSchema,
});
export type NotificationPreferences = z.infer<typeof NotificationPreferencesSchema>;

/** Notifications in the body of `PATCH /api/v1/me/preferences`: omitted fields stay. */
export const UpdateNotificationPreferencesSchema = z.strictObject({
  alert: z
    .strictObject({
      push: PushSchema.optional(),
      webhook: WebhookSchema.optional(),
      minConfidence: ConfidenceSchema.optional(),
    })
    .optional(),
  digest: z
    .strictObject({
      push: PushSchema.optional(),
      webhook: WebhookSchema.optional(),
      every: EverySchema.optional(),
      hour: HourSchema.optional(),
      weekday: WeekdaySchema.optional(),
    })
    .optional(),
  attention: z.strictObject({ push: PushSchema.optional(), webhook: WebhookSchema.optional() }).optional(),
  quietHours: QuietHoursSchema.optional(),
  content: ContentSchema.optional(),
});
export type UpdateNotificationPreferences = z.infer<typeof UpdateNotificationPreferencesSchema>;
