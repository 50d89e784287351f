import { OwnMailboxSchema, SignInWithTokenRequestSchema } from '@mailsweep/contracts';
import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { SESSION_SECURITY } from './operation.ts';
import {
  BAD_REQUEST,
  CONTENT_TOO_LARGE,
  FORBIDDEN,
  SERVICE_UNAVAILABLE,
  TOO_MANY_REQUESTS,
  UNAUTHORIZED,
  UNSUPPORTED_MEDIA_TYPE,
} from './responses.ts';

export const SIGN_IN_TAG = {
  name: 'Sign-in',
  description:
    'Sign in with Google or another mail provider in a browser, and sign out; let programs act for a user.',
};

/** A response that sends the browser elsewhere. */
export const redirect = (description: string, example: string) => ({
  description,
  headers: {
    location: {
      description: 'Where the browser goes next.',
      schema: { type: 'string' as const, format: 'uri' },
      example,
    },
  },
});

const SIGNED_OUT = {
  204: { description: 'Signed out; the cookie is deleted.' },
  400: BAD_REQUEST,
  401: UNAUTHORIZED,
  403: FORBIDDEN,
  413: CONTENT_TOO_LARGE,
  415: UNSUPPORTED_MEDIA_TYPE,
  429: TOO_MANY_REQUESTS,
  503: SERVICE_UNAVAILABLE,
};

/** The sign-in routes; they serve browsers and carry no version. */
export const SIGN_IN_PATHS: ZodOpenApiPathsObject = {
  '/auth/idp': {
    get: {
      operationId: 'beginSignIn',
      summary: 'Begin a sign-in',
      description: [
        'Open this address in a browser. It redirects to Google’s sign-in page (OAuth 2.0 with PKCE), and from there through `/auth/idp/callback` to the front end’s `/auth/callback`. A sign-in must be completed within ten minutes, in the same browser.',
        'With `?provider=<key>` it does the same at another provider of `GET /api/v1/providers`; where users make a token there, it redirects to the front end’s `/sign-in?provider=<key>`.',
        'With `?renew=true` it renews the mailbox connection of the signed-in user, at the provider they belong to: Google suggests the same account, and no other account can complete the sign-in.',
        'With `?add=true` it adds the mailbox of another account, at `provider`, to those of the signed-in user, whose session goes on. The user must have signed in within the last ten minutes. The front end gets `?mailbox=` with its number, or `?error=`. With `?renew=true&mailbox=2` it renews the connection of another mailbox of the user.',
        'With `?access=read` it asks a provider with `offersReadOnly` for no more than reading, with `?access=change` for changing the mailbox, too. By default it asks for changing, and a renewal for what there was.',
        'A client address may send 30 requests per minute to the sign-in routes by default.',
      ].join('\n\n'),
      tags: [SIGN_IN_TAG.name],
      security: [],
      parameters: [
        {
          name: 'provider',
          in: 'query',
          required: false,
          description:
            'The key of a provider; by default Google, or the first of `GET /api/v1/providers` where the operator has no client there.',
          schema: { type: 'string' },
          example: 'gmail',
        },
        {
          name: 'renew',
          in: 'query',
          required: false,
          description: 'Renews the connection of the signed-in user.',
          schema: { type: 'boolean' },
          example: true,
        },
        {
          name: 'add',
          in: 'query',
          required: false,
          description: 'Adds a mailbox to those of the signed-in user.',
          schema: { type: 'boolean' },
          example: true,
        },
        {
          name: 'mailbox',
          in: 'query',
          required: false,
          description: 'With `renew`: the number of the mailbox to connect again, where it is another one.',
          schema: { type: 'integer', minimum: 1 },
          example: 2,
        },
        {
          name: 'access',
          in: 'query',
          required: false,
          description: 'What to ask for.',
          schema: { type: 'string', enum: ['read', 'change'] },
          example: 'read',
        },
      ],
      responses: {
        302: redirect(
          'To Google, or to the front end with `?error=` if Google is unavailable.',
          'https://accounts.google.com/o/oauth2/v2/auth?response_type=code&scope=openid',
        ),
        400: BAD_REQUEST,
        429: TOO_MANY_REQUESTS,
      },
    },
  },
  '/auth/idp/callback': {
    get: {
      operationId: 'completeSignIn',
      summary: 'Complete a sign-in',
      description: [
        'Google redirects the browser here, and another provider to this address with its key at the end, with `code` and `state`, or with `error`. The API exchanges the code for tokens, stores them encrypted, sets the cookie `session_token`, and redirects to the front end’s `/auth/callback`. Clients never call it themselves.',
        'If the sign-in fails, the redirect carries `?error=<code>`: `access_denied`, `account_mismatch`, `domain_policy`, `gmail_api_disabled`, `invalid_state`, `login_expired`, `mail_service_disabled`, `mailbox_taken`, `missing_scope`, `provider_configuration`, `provider_error`, `provider_unavailable`, `recent_sign_in_required`, `temporarily_unavailable` or `too_many_mailboxes`.',
      ].join('\n\n'),
      tags: [SIGN_IN_TAG.name],
      security: [],
      responses: {
        302: redirect(
          'To the front end’s `/auth/callback`, with `?error=` if the sign-in failed.',
          'https://app.example.com/auth/callback',
        ),
        429: TOO_MANY_REQUESTS,
      },
    },
  },
  '/auth/token': {
    post: {
      operationId: 'signInWithToken',
      summary: 'Sign in with a token',
      description: [
        'Signs a user in with a token that they made at a provider whose `signIn` is `token`. The token is tried at once; if the provider accepts it, it is stored encrypted, and the response sets the cookie `session_token`; with `add`, the mailbox is added to those of the session. It is taken from the front end’s origin alone.',
        '400 `validation_failed` names what is wrong with `token`, 503 `mailbox_unavailable` says that the provider can’t be reached.',
      ].join('\n\n'),
      tags: [SIGN_IN_TAG.name],
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: SignInWithTokenRequestSchema } },
      },
      responses: {
        200: {
          description: 'The mailbox was added.',
          content: { 'application/json': { schema: z.object({ mailbox: OwnMailboxSchema.shape.number }) } },
        },
        204: { description: 'Signed in; the cookie is set.' },
        400: BAD_REQUEST,
        403: FORBIDDEN,
        413: CONTENT_TOO_LARGE,
        415: UNSUPPORTED_MEDIA_TYPE,
        429: TOO_MANY_REQUESTS,
        503: SERVICE_UNAVAILABLE,
      },
    },
  },
  '/auth/logout': {
    post: {
      operationId: 'signOut',
      summary: 'Sign out',
      description:
        'Ends the session of this request. Its token is refused from now on, as a cookie and as a Bearer token. No body is needed.',
      tags: [SIGN_IN_TAG.name],
      security: SESSION_SECURITY,
      responses: SIGNED_OUT,
    },
  },
  '/auth/logout-everywhere': {
    post: {
      operationId: 'signOutEverywhere',
      summary: 'Sign out everywhere',
      description:
        'Ends all sessions of the user, this one included, and all personal access tokens. No body is needed.',
      tags: [SIGN_IN_TAG.name],
      security: SESSION_SECURITY,
      responses: SIGNED_OUT,
    },
  },
};
