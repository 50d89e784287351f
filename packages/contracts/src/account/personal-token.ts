import { z } from 'zod';
import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS, MAX_TOKEN_NAME_LENGTH } from '../values/limits.ts';
import { paginated } from '../values/pagination.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { TokenScopeSchema } from './token-scope.ts';

/** Tells personal access tokens from session tokens. */
export const TOKEN_PREFIX = 'msw_';

const NameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TOKEN_NAME_LENGTH)
  .meta({ description: 'What the user calls it.', example: 'Backup script' });

const ScopeSchema = TokenScopeSchema.meta({
  description: 'The most that it may do; scopes before it are included.',
});

/** What takes a token: the API, or the MCP endpoint. */
export const TokenAudienceSchema = z.enum(['api', 'mcp']);
export type TokenAudience = z.infer<typeof TokenAudienceSchema>;

export const ALL_MAILBOXES = z.boolean().optional().meta({
  description:
    'Whether the token is for all mailboxes of its owner, which `Mailsweep-Mailbox` chooses from, or for this one alone.',
});

/** A personal access token, without its secret. */
export const PersonalTokenSchema = z
  .object({
    id: z.uuid(),
    name: NameSchema,
    scope: ScopeSchema,
    requiresConfirmation: z.boolean().meta({
      description:
        'Whether each cleanup that it runs waits until the user confirms it in a session. What changes the mailbox in another way, or what lasts, is then refused (403 `confirmation_required`).',
    }),
    createdAt: TimestampSchema,
    expiresAt: TimestampSchema.meta({
      description:
        'When it ends, unless the program renews it; tokens that have ended are listed for 30 days.',
    }),
    lastUsedAt: TimestampSchema.nullable().meta({
      description: 'When a request last used it, to five minutes; null when none has.',
    }),
    audience: TokenAudienceSchema.meta({
      description: '`mcp` for a token that a program was given for `/mcp` alone.',
    }),
    clientId: z.string().nullable().meta({
      description:
        'The OAuth client id of the program that the user allowed; null for a token that the user made.',
    }),
    renews: z.boolean().meta({ description: 'Whether its program renews it, and with it `expiresAt`.' }),
    allMailboxes: z.boolean().meta({
      description:
        'True where `Mailsweep-Mailbox` may name any mailbox of its owner; false where it is for one.',
    }),
  })
  .meta({ id: 'PersonalToken' });
export type PersonalToken = z.infer<typeof PersonalTokenSchema>;

/** Body of `POST /api/v1/me/tokens`. */
export const CreateTokenRequestSchema = z
  .strictObject({
    name: NameSchema,
    scope: ScopeSchema,
    requiresConfirmation: z.boolean().optional().meta({
      description:
        'Whether the user confirms what it changes; true by default. A token of the scope `read` changes nothing, so that it is false for it.',
    }),
    expiresInDays: z.number().int().min(1).max(MAX_TOKEN_DAYS).default(DEFAULT_TOKEN_DAYS),
    allMailboxes: ALL_MAILBOXES,
  })
  .meta({ id: 'CreateTokenRequest' });
export type CreateTokenRequest = z.output<typeof CreateTokenRequestSchema>;

/** Response of `POST /api/v1/me/tokens`, which alone holds the secret. */
export const CreatedTokenSchema = PersonalTokenSchema.extend({
  secret: z.string().meta({
    description: 'What to send as `Authorization: Bearer`. It is not stored: it can’t be shown again.',
  }),
}).meta({ id: 'CreatedToken' });
export type CreatedToken = z.infer<typeof CreatedTokenSchema>;

/** Body of `PATCH /api/v1/me/tokens/{id}`. */
export const RenameTokenRequestSchema = z
  .strictObject({ name: NameSchema })
  .meta({ id: 'RenameTokenRequest' });

export const TokenParamsSchema = z.strictObject({ id: z.uuid() });

/** Response of `GET /api/v1/me/tokens`: newest first. */
export const ListTokensResponseSchema = paginated(PersonalTokenSchema).meta({ id: 'PersonalTokenPage' });
