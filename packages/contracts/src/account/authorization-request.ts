import { z } from 'zod';
import { DEFAULT_AUTHORIZATION_DAYS, MAX_TOKEN_DAYS } from '../values/limits.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { TokenAudienceSchema } from './personal-token.ts';
import { TokenScopeSchema } from './token-scope.ts';

/** A request of a program for a token, as the user is asked about it. */
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
    audience: TokenAudienceSchema,
    expiresAt: TimestampSchema.meta({ description: 'Until when the user can decide.' }),
  })
  .meta({ id: 'AuthorizationRequest' });
export type AuthorizationRequest = z.infer<typeof AuthorizationRequestSchema>;

/** Body of `POST /api/v1/me/authorizations/{id}/allow`. */
export const AllowAuthorizationRequestSchema = z
  .strictObject({
    expiresInDays: z.number().int().min(1).max(MAX_TOKEN_DAYS).default(DEFAULT_AUTHORIZATION_DAYS).meta({
      description: 'Days until the token ends.',
    }),
    requiresConfirmation: z.boolean().default(true).meta({
      description: 'Whether the user confirms what the token changes, as for other tokens.',
    }),
  })
  .meta({ id: 'AllowAuthorizationRequest' });

/** The request in a path. */
export const AuthorizationParamsSchema = z.strictObject({ id: z.uuid() });

/** Response to a decision. */
export const AuthorizationDecisionSchema = z
  .object({
    redirectTo: z
      .url()
      .meta({ description: 'Where the browser has to go, so that the program learns of it.' }),
  })
  .meta({ id: 'AuthorizationDecision' });
export type AuthorizationDecision = z.infer<typeof AuthorizationDecisionSchema>;

/** Codes that `/oauth/authorize` hands to the front end as `?error=` where the program cannot be told. */
export const AuthorizationErrorSchema = z.enum([
  // The client id is no address of a document that names a client, or the document could not be had.
  'unknown_client',
  // The redirect URI is none of the client's.
  'unknown_redirect',
  // Something else about the request is wrong, and the client is no program on the same computer.
  'invalid_request',
]);
export type AuthorizationError = z.infer<typeof AuthorizationErrorSchema>;
