import { z } from 'zod';
import { MailboxCapabilitiesSchema } from './mailbox-capabilities.ts';
import { ProviderSchema } from './provider.ts';
import { TokenScopeSchema } from './token-scope.ts';

/** Cookie that carries the session token. */
export const SESSION_COOKIE = 'session_token';

/** State of the mailbox connection; `reauth_required`: the user signs in again. */
export const ConnectionStateSchema = z.enum(['active', 'reauth_required']);
export type ConnectionState = z.infer<typeof ConnectionStateSchema>;

/** Response of `GET /api/v1/me`: who is signed in. */
export const MeSchema = z
  .object({
    userId: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    connection: ConnectionStateSchema,
    provider: ProviderSchema,
    mailbox: MailboxCapabilitiesSchema.extend({
      canChange: z.boolean().meta({
        description:
          'Whether the user lets Mailsweep change the mailbox. Where not, whatever would returns 403 `read_only_access`, and rules do not act.',
      }),
    }),
    sessionExpiresAt: z.iso.datetime().meta({ description: 'When the session, or the token, ends.' }),
    token: z
      .object({ id: z.uuid(), name: z.string(), scope: TokenScopeSchema, requiresConfirmation: z.boolean() })
      .optional()
      .meta({ description: 'The personal access token that the request was sent with, if any.' }),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof MeSchema>;

/** Codes of a failed sign-in, as `?error=` at the front end. */
export const SignInErrorSchema = z.enum([
  'access_denied',
  // A renewal came back with another account; the session is unchanged.
  'account_mismatch',
  'domain_policy',
  // The operator must enable the Gmail API in the Google project.
  'gmail_api_disabled',
  'invalid_state',
  'login_expired',
  // The owner has the maximum number of mailboxes.
  'mailbox_limit',
  // The mailbox to add is one of somebody else, with others.
  'mailbox_taken',
  // The account has no Gmail, or its administrator turned it off.
  'mail_service_disabled',
  'missing_scope',
  'provider_configuration',
  'provider_error',
  'provider_unavailable',
  // To add a mailbox, the user has to have signed in a moment ago.
  'recent_sign_in_required',
  'temporarily_unavailable',
]);
export type SignInError = z.infer<typeof SignInErrorSchema>;

/** Code of a 401 that asks for a new sign-in, such as before an export; the session goes on. */
export const RECENT_SIGN_IN_REQUIRED = 'recent_sign_in_required';

/**
 * Body of `POST /auth/token`: a sign-in with a token made at the provider; with `add`, the mailbox is added to those of the
 * session.
 */
export const SignInWithTokenRequestSchema = z.strictObject({
  add: z.boolean().optional().meta({ description: 'Whether to add the mailbox to those of the session.' }),
  provider: z.string({ error: 'must be the key of a provider' }),
  token: z
    .string({ error: 'must be a token' })
    .trim()
    .regex(/^[\x21-\x7e]{1,4096}$/, { error: 'must be a token without spaces' }),
});
export type SignInWithTokenRequest = z.infer<typeof SignInWithTokenRequestSchema>;
