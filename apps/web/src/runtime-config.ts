import { z } from 'zod';

const RuntimeConfigSchema = z.object({ apiOrigin: z.url() });
export type RuntimeConfig = z.infer<typeof RuntimeConfigSchema>;

/**
 * Asks the web server where the API is, so that one build serves every place.
 *
 * @throws when the answer is missing or malformed
 */
export const fetchRuntimeConfig = async (): Promise<RuntimeConfig> => {
  const response = await fetch('/config.json', { credentials: 'same-origin' });
  return RuntimeConfigSchema.parse(await response.json());
};
