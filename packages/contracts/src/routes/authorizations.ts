import {
  AllowAuthorizationRequestSchema,
  AuthorizationDecisionSchema,
  AuthorizationParamsSchema,
  AuthorizationRequestSchema,
} from '../account/authorization-request.ts';
import { defineSection } from './route-contract.ts';

const ID = '0197a3c4-9999-7e8f-9a0b-1c2d3e4f5a6b';
const UNKNOWN =
  'A request that was decided, is older than ten minutes, or was shown to another user returns 404.';

export const AUTHORIZATIONS_SECTION = defineSection({
  tag: 'Authorizations',
  description:
    'What the page behind `/oauth/authorize` needs, on which a user lets a program act for them. Other programs do not call it.',
  routes: {
    getAuthorizationRequest: {
      method: 'get',
      path: '/api/v1/me/authorizations/{id}',
      access: 'session',
      params: AuthorizationParamsSchema,
      response: AuthorizationRequestSchema,
      summary: 'Show what a program asks for',
      description: [
        `Returns the program, and what it asks for. From then on only this user can decide. ${UNKNOWN}`,
      ],
      examples: {
        params: { id: ID },
        responses: {
          'An assistant': {
            id: ID,
            client: { name: 'Mail Assistant', host: 'assistant.example.com' },
            redirectHost: null,
            scope: 'act',
            audience: 'mcp',
            renews: true,
            expiresAt: '2026-02-01T08:10:00.000Z',
          },
        },
      },
    },
    allowAuthorizationRequest: {
      method: 'post',
      path: '/api/v1/me/authorizations/{id}/allow',
      access: 'recent_sign_in',
      params: AuthorizationParamsSchema,
      body: AllowAuthorizationRequestSchema,
      response: AuthorizationDecisionSchema,
      refuses: { too_many_tokens: 'Nothing was done: a user may have 20 tokens.' },
      summary: 'Let a program act for the user',
      description: [
        `Gives the program a code, which it exchanges for a personal access token within a minute. The user must have seen the request. ${UNKNOWN}`,
        'Like making a token, it needs a sign-in within the last ten minutes; otherwise it returns 401 `recent_sign_in_required`.',
      ],
      examples: {
        params: { id: ID },
        bodies: { 'For 30 days': { expiresInDays: 30, requiresConfirmation: true } },
        responses: {
          Allowed: {
            redirectTo:
              'http://127.0.0.1:49152/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj&iss=https%3A%2F%2Fapi.example.com',
          },
        },
      },
    },
    denyAuthorizationRequest: {
      method: 'post',
      path: '/api/v1/me/authorizations/{id}/deny',
      access: 'session',
      params: AuthorizationParamsSchema,
      response: AuthorizationDecisionSchema,
      summary: 'Refuse a program',
      description: [`Tells the program that the user refused. ${UNKNOWN}`],
      examples: {
        params: { id: ID },
        responses: {
          Refused: {
            redirectTo:
              'http://127.0.0.1:49152/callback?error=access_denied&state=af0ifjsldkj&iss=https%3A%2F%2Fapi.example.com',
          },
        },
      },
    },
  },
});
