import { z } from 'zod';

export const ProviderSchema = z
  .object({
    key: z.string().meta({ description: 'What the operator calls it.', example: 'gmail' }),
    name: z.string().meta({ description: 'As users know it.', example: 'Google' }),
    kind: z.enum(['gmail', 'jmap']),
    offersReadOnly: z.boolean().meta({
      description: 'Whether `/auth/idp?access=read` asks for no more than reading.',
    }),
    signIn: z.enum(['redirect', 'token']).meta({
      description:
        '`redirect`: send the browser to `/auth/idp?provider={key}`. `token`: users make a token at the provider, which `POST /auth/token` takes.',
    }),
  })
  .meta({ id: 'Provider' });
export type Provider = z.infer<typeof ProviderSchema>;

/** Query of `GET /api/v1/providers`. */
export const ListProvidersQuerySchema = z.strictObject({
  domain: z.hostname({ error: 'must be the domain of an address, in ASCII' }).toLowerCase().optional().meta({
    description:
      'Only providers that serve the addresses of this domain, by its DNS and `/.well-known/jmap`. In ASCII (IDNA).',
  }),
});

/** Response of `GET /api/v1/providers`: Google first, then in the order of the operator. */
export const ListProvidersResponseSchema = z
  .object({ data: z.array(ProviderSchema) })
  .meta({ id: 'ProviderList' });
