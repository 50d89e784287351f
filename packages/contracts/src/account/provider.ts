import { z } from 'zod';

/** A mail provider that users sign in with. */
export const ProviderSchema = z
  .object({
    key: z.string().meta({ description: 'What the operator calls it.', example: 'gmail' }),
    name: z.string().meta({ description: 'As users know it.', example: 'Google' }),
    kind: z.enum(['gmail', 'jmap']),
    signIn: z.enum(['redirect', 'token']).meta({
      description:
        '`redirect`: send the browser to `/auth/idp?provider={key}`. `token`: users make a token at the provider, which `POST /auth/token` takes.',
    }),
  })
  .meta({ id: 'Provider' });
export type Provider = z.infer<typeof ProviderSchema>;
