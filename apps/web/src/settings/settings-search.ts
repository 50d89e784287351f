import { z } from 'zod';

/** What a new sign-in was needed for. */
export type SensitiveAction = 'export' | 'erase';

/** What the settings go on with after a new sign-in, as the address bar holds it. */
export const SettingsSearchSchema = z.object({
  continue: z.enum(['export', 'erase']).optional().catch(undefined),
});
