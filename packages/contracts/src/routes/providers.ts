import { ListProvidersQuerySchema, ListProvidersResponseSchema } from '../account/provider.ts';
import { defineSection } from './route-contract.ts';

export const PROVIDERS_SECTION = defineSection({
  tag: 'Providers',
  description: 'The mail providers with which users sign in. They need no session.',
  routes: {
    listProviders: {
      method: 'get',
      path: '/api/v1/providers',
      access: 'public',
      query: ListProvidersQuerySchema,
      response: ListProvidersResponseSchema,
      summary: 'List the mail providers',
      description: [
        'Returns the providers of this installation. With `signIn` `redirect`, send the browser to `/auth/idp?provider={key}`; with `token`, send a token that the user made at the provider to `POST /auth/token`.',
        'With `domain`, returns only those JMAP servers that the domain itself names, in its `_jmap._tcp` record or by its `/.well-known/jmap` (RFC 8620, section 2.2); none where it cannot be asked. Send the domain alone, not the address. A client address may send 30 requests per minute by default, and have two of them with `domain` in flight.',
      ],
    },
  },
});
