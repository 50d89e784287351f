import {
  AllowAuthorizationRequestSchema,
  AuthorizationDecisionSchema,
  AuthorizationParamsSchema,
  AuthorizationRequestSchema,
} from '../account/authorization-request.ts';
import { defineSection } from './route-contract.ts';

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
    },
    denyAuthorizationRequest: {
      method: 'post',
      path: '/api/v1/me/authorizations/{id}/deny',
      access: 'session',
      params: AuthorizationParamsSchema,
      response: AuthorizationDecisionSchema,
      summary: 'Refuse a program',
      description: [`Tells the program that the user refused. ${UNKNOWN}`],
    },
  },
});
