import { z } from 'zod';
import { DEFAULT_AUTHORIZATION_DAYS, MAX_TOKEN_DAYS } from '../values/limits.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { ALL_MAILBOXES, TokenAudienceSchema } from './personal-token.ts';
import { TokenScopeSchema } from './token-scope.ts';

/** A program's request for a token, as its user sees it. */
export const AuthorizationRequestSchema = z
  .object({
    id: z.uuid(),
    client: z
      .object({
        name: z.string().meta({ description: 'What the program calls itself.', example: 'Mail Assistant' }),
        host: z.string().nullable().meta({
          description:
            'Who publishes the program: the host of its client id; null for the command line of Mailsweep.',
          example: 'assistant.example.com',
        }),
      })
      .meta({ description: 'The program that asks.' }),
    redirectHost: z.string().nullable().meta({
      description:
        'The host that the browser is sent back to; null where it is a program on the same computer.',
    }),
    scope: TokenScopeSchema.meta({ description: 'What the program may do, if the user allows it.' }),
    audience: TokenAudienceSchema.meta({ description: 'What the token is for.' }),
    renews: z.boolean().meta({
      description:
        'Whether the program refreshes its token. Each refresh extends the token by the allowed days, up to a year after it was created.',
    }),
    expiresAt: TimestampSchema.meta({ description: 'Until when the user can decide.' }),
  })
  .meta({ id: 'AuthorizationRequest' });
export type AuthorizationRequest = z.infer<typeof AuthorizationRequestSchema>;

/** Body of `POST /api/v1/me/authorizations/{id}/allow`. */
export const AllowAuthorizationRequestSchema = z
  .strictObject({
    expiresInDays: z.number().int().min(1).max(MAX_TOKEN_DAYS).default(DEFAULT_AUTHORIZATION_DAYS).meta({
      description: 'Days until the token ends, unless the program renews it.',
    }),
    requiresConfirmation: z.boolean().default(true).meta({
      description: 'Whether the user confirms what the token changes, as for other tokens.',
    }),
    allMailboxes: ALL_MAILBOXES,
  })
  .meta({ id: 'AllowAuthorizationRequest' });
export type AllowAuthorizationRequest = z.output<typeof AllowAuthorizationRequestSchema>;

export const AuthorizationParamsSchema = z.strictObject({ id: z.uuid() });

export const AuthorizationDecisionSchema = z
  .object({
    redirectTo: z
      .url()
      .meta({ description: 'Where the browser has to go, so that the program learns of it.' }),
  })
  .meta({ id: 'AuthorizationDecision' });
export type AuthorizationDecision = z.infer<typeof AuthorizationDecisionSchema>;

/** Codes of `?error=` at the front end, if `/oauth/authorize` cannot tell the program. */
export const AuthorizationErrorSchema = z.enum([
  // The client id leads to no document of a client.
  'unknown_client',
  // The redirect URI is not the client's.
  'unknown_redirect',
  // Another mistake of a client that is not on the user's computer.
  'invalid_request',
]);
export type AuthorizationError = z.infer<typeof AuthorizationErrorSchema>;

/** Codes of `?reason=` beside `unknown_client`, for developers. */
export const UnknownClientReasonSchema = z.enum([
  // No address that may be a client id.
  'invalid_id',
  // Nothing was found there.
  'unreachable',
  // What was found is no document of a public client.
  'invalid',
  // The document names another client id.
  'other_id',
]);
export type UnknownClientReason = z.infer<typeof UnknownClientReasonSchema>;
