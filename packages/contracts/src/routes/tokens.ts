import {
  CreatedTokenSchema,
  CreateTokenRequestSchema,
  ListTokensResponseSchema,
  PersonalTokenSchema,
  RenameTokenRequestSchema,
  TokenParamsSchema,
} from '../account/personal-token.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';

export const TOKENS_SECTION = defineSection({
  tag: 'Tokens',
  description:
    'Personal access tokens, with which programs call the API for the user. Only a session manages them.',
  routes: {
    listTokens: {
      method: 'get',
      path: '/api/v1/me/tokens',
      access: 'session',
      query: PaginationQuerySchema,
      response: ListTokensResponseSchema,
      summary: 'List tokens',
      description: [
        'Returns the personal access tokens of the user, newest first, without their secrets. Tokens that have ended are listed for 30 days; revoked ones are not. 20 on a page by default, at most 100.',
      ],
    },
    createToken: {
      method: 'post',
      path: '/api/v1/me/tokens',
      access: 'recent_sign_in',
      body: CreateTokenRequestSchema,
      response: CreatedTokenSchema,
      refuses: { too_many_tokens: 'Nothing was done: a user may have 20 tokens.' },
      summary: 'Make a token',
      description: [
        'Makes a personal access token. `secret` is in this response alone: only its hash is stored. Send it as `Authorization: Bearer <secret>`. It takes no `Idempotency-Key`, because the response is not stored: revoke a token whose response was lost.',
        '`scope` is the most that the token may do. With `read` it changes nothing; with `act` it also changes the mailbox, as undo can reverse; with `admin` it also changes what lasts (rules, protections, preferences) and unsubscribes. What takes a session takes no token. The token ends after `expiresInDays`, 90 by default and 365 at most, when it is revoked, when the user signs out everywhere, and with the account.',
        '`requiresConfirmation`, which is the default for `act` and `admin`, is for programs that might be misled, such as assistants: a cleanup that they run waits until the user confirms it in a session (`awaiting_confirmation`), and every other operation that changes the mailbox, or what lasts, returns 403 `confirmation_required`. Planning, scanning, pausing, cancelling and undoing a batch or a cleanup need no confirmation.',
        'Like the export, it needs a sign-in within the last ten minutes; otherwise it returns 401 `recent_sign_in_required`. A user may have 20 live tokens (409 `too_many_tokens`). It is listed in the audit trail.',
      ],
    },
    renameToken: {
      method: 'patch',
      path: '/api/v1/me/tokens/{id}',
      access: 'session',
      params: TokenParamsSchema,
      body: RenameTokenRequestSchema,
      response: PersonalTokenSchema,
      summary: 'Rename a token',
      description: [
        'Changes what a token is called; what it may do, and until when, stays. A token that was revoked, or belongs to somebody else, returns 404. It is listed in the audit trail.',
      ],
    },
    revokeToken: {
      method: 'delete',
      path: '/api/v1/me/tokens/{id}',
      access: 'session',
      params: TokenParamsSchema,
      response: NoContentSchema,
      summary: 'Revoke a token',
      description: [
        'Ends a token at once and removes it from the list; requests with it return 401 from now on. What it started goes on. A token that was revoked before, or belongs to somebody else, returns 404. It is listed in the audit trail.',
      ],
    },
  },
});
