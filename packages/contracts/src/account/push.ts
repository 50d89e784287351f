import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';

/** Longest address at a push service; real ones have a few hundred characters. */
const MAX_ENDPOINT_LENGTH = 2_048;
/** A browser's public key: an uncompressed point of P-256, 65 bytes (RFC 8291). */
const P256DH = /^[A-Za-z0-9_-]{87}=?$/;
/** A browser's secret: 16 bytes (RFC 8291). */
const AUTH = /^[A-Za-z0-9_-]{22}={0,2}$/;

const EndpointSchema = z
  .url({ protocol: /^https$/, error: 'must be an https:// address', abort: true })
  .max(MAX_ENDPOINT_LENGTH)
  .regex(/^https:\/\/[^/?#@]+(?:[/?#].*)?$/i, { error: 'must not hold credentials' })
  .meta({ description: 'Where the push service of the browser takes messages for it.' });

export const PushLanguageSchema = z.enum(['en', 'de']);
export type PushLanguage = z.infer<typeof PushLanguageSchema>;

/**
 * Body of `POST /api/v1/push/subscriptions`: what `PushSubscription.toJSON()` returns, and the language to write in.
 */
export const SubscribeToPushRequestSchema = z
  .strictObject({
    endpoint: EndpointSchema,
    expirationTime: z.number().min(0).nullable().optional(),
    keys: z.strictObject({
      p256dh: z.string().regex(P256DH, { error: 'must be 65 bytes in base64url' }),
      auth: z.string().regex(AUTH, { error: 'must be 16 bytes in base64url' }),
    }),
    language: PushLanguageSchema.optional(),
  })
  .meta({ id: 'SubscribeToPushRequest' });
export type SubscribeToPushRequest = z.infer<typeof SubscribeToPushRequestSchema>;

const PushSubscriptionIdSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits' })
  .meta({ description: 'SHA-256 of the endpoint, in hexadecimal digits.', example: '9f2c'.repeat(16) });

/** A browser that notifications are sent to. */
export const PushSubscriptionSchema = z
  .object({
    id: PushSubscriptionIdSchema,
    browser: z.string().nullable().meta({ example: 'Firefox on Windows' }),
    language: PushLanguageSchema,
    createdAt: TimestampSchema,
  })
  .meta({ id: 'PushSubscription' });
export type PushSubscription = z.infer<typeof PushSubscriptionSchema>;

export const PushSubscriptionParamsSchema = z.strictObject({ id: PushSubscriptionIdSchema });

/** Response of `GET /api/v1/push/subscriptions`: newest first. */
export const ListPushSubscriptionsResponseSchema = paginated(PushSubscriptionSchema).meta({
  id: 'PushSubscriptionPage',
});
export type ListPushSubscriptionsResponse = z.infer<typeof ListPushSubscriptionsResponseSchema>;

/** Response of `GET /api/v1/push/key`. */
export const PushKeySchema = z
  .object({
    key: z.string().nullable().meta({
      description:
        'The `applicationServerKey` for `PushManager.subscribe()`, in base64url; null where the operator has not set up push.',
    }),
  })
  .meta({ id: 'PushKey' });
export type PushKey = z.infer<typeof PushKeySchema>;

const EmailContentSchema = z.object({ from: z.string(), subject: z.string() });

const AlertContentSchema = z
  .object({ count: CountSchema, emails: z.array(EmailContentSchema).min(1) })
  .meta({ description: 'How many emails it is about, and the first of them.' });
const DigestContentSchema = z.object({
  arrived: CountSchema.meta({ description: 'Emails that arrived since the last digest.' }),
  cleaned: CountSchema.meta({ description: 'Emails that the user cleaned.' }),
  byRules: CountSchema.meta({ description: 'Emails that rules cleaned.' }),
  waiting: CountSchema.meta({ description: 'Emails with open suggestions.' }),
});
const AttentionContentSchema = z.object({
  reason: z.enum(['reconnect', 'rule_paused']),
  name: z.string().optional().meta({ description: 'Sender of the rule, or its classification.' }),
});

/** Kinds of notifications, for browsers and, except `test`, the workflow service. */
export const NotificationKindSchema = z.enum(['alert', 'digest', 'attention', 'test']);
export type NotificationKind = z.infer<typeof NotificationKindSchema>;

const told = <const Kind extends NotificationKind, Content extends z.ZodType>(kind: Kind, content: Content) =>
  z.object({
    kind: z.literal(kind),
    content: content.nullable().meta({
      description: 'What it says; null if the user wants no names and subjects in notifications.',
    }),
  });

/** What a notification says; `content` is null if the user wants none. */
export const NotificationDetailSchema = z.discriminatedUnion('kind', [
  told('alert', AlertContentSchema),
  told('digest', DigestContentSchema),
  told('attention', AttentionContentSchema),
  told('test', z.object({})),
]);
export type NotificationDetail = z.infer<typeof NotificationDetailSchema>;
export type DigestContent = z.infer<typeof DigestContentSchema>;
export type AttentionContent = z.infer<typeof AttentionContentSchema>;
export type EmailContent = z.infer<typeof EmailContentSchema>;

/** A path of the web app, without a host. */
const PathSchema = z.string().regex(/^\/(?![/\\])/);

/** A push message to the web app's service worker. */
export const PushMessageSchema = z.object({
  /** A later message with the same tag replaces this one. */
  tag: z.string(),
  /** What a click opens. */
  path: PathSchema,
  language: PushLanguageSchema,
  /** What its owner calls the mailbox, where they have several. */
  mailbox: z.string().optional(),
  detail: NotificationDetailSchema,
});
export type PushMessage = z.infer<typeof PushMessageSchema>;
