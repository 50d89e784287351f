import { HttpUrlSchema } from '@mailsweep/service-kit';
import { z } from 'zod';
import { JmapProvidersSchema } from './jmap-variable.ts';

/** Who signs users in, and who we are there, for the configuration of a process. */
export const providerVariables = {
  OAUTH_ISSUER: HttpUrlSchema.default('https://accounts.google.com'),
  OAUTH_CLIENT_ID: z.string().min(1),
  OAUTH_CLIENT_SECRET: z.string().min(1),
  JMAP_PROVIDERS: JmapProvidersSchema.default([]),
};

const ProviderSchema = z.object(providerVariables);
export type ProviderConfig = Readonly<z.output<typeof ProviderSchema>>;
