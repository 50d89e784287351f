import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { TimestampSchema } from '../values/scalars.ts';

/** A live session of the user: one browser, or another client with its token. */
export const UserSessionSchema = z
  .object({
    id: z.uuid(),
    createdAt: TimestampSchema.meta({ description: 'When the user signed in.' }),
    lastUsedAt: TimestampSchema.meta({ description: 'When a request last used it, to the minute.' }),
    browser: z.string().nullable().meta({
      description: 'What the browser called itself at sign-in; null when that is not known.',
      example: 'Firefox on Windows',
    }),
    current: z.boolean().meta({ description: 'Whether this request was sent with it.' }),
  })
  .meta({ id: 'UserSession' });
export type UserSession = z.infer<typeof UserSessionSchema>;

/** Response of `GET /api/v1/me/sessions`: the current session, then the others by last use. */
export const ListSessionsResponseSchema = paginated(UserSessionSchema).meta({ id: 'UserSessionPage' });

export const SessionParamsSchema = z.strictObject({ id: z.uuid() });
