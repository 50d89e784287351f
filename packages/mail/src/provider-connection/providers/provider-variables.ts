import { HttpUrlSchema } from '@mailsweep/service-kit';
import { z } from 'zod';
import { JmapProvidersSchema } from './jmap-variable.ts';

export const GOOGLE_ISSUER = 'https://accounts.google.com';

/** Who signs users in, and who we are there, for the configuration of a process. */
export const providerVariables = {
  OAUTH_ISSUER: HttpUrlSchema.default(GOOGLE_ISSUER),
  /** With the secret, both or none: without them users come from JMAP servers alone. */
  OAUTH_CLIENT_ID: z.string().min(1).optional(),
  OAUTH_CLIENT_SECRET: z.string().min(1).optional(),
  JMAP_PROVIDERS: JmapProvidersSchema.default([]),
};

const ProviderSchema = z.object(providerVariables);
export type ProviderConfig = Readonly<z.output<typeof ProviderSchema>>;

/** Adds the rule that users can sign in somewhere. */
export const requireProvider = <T extends z.ZodType<ProviderConfig>>(schema: T): T =>
  schema.superRefine(
    (variables, context) => {
      const names = ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET'] as const;
      const missing = names.filter((name) => variables[name] === undefined);
      const hasServers = (variables.JMAP_PROVIDERS ?? []).length > 0;
      if (missing.length === names.length && hasServers) return;
      for (const name of missing) context.addIssue({ code: 'custom', path: [name], message: 'is required' });
    },
    { when: () => true },
  );
