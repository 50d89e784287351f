import { z } from 'zod';

/**
 * What a personal access token may do: `read` changes nothing; `act` changes the mailbox as undo can reverse; `admin`
 * changes what lasts: rules, protections and preferences, and unsubscribes. Each scope includes those before it.
 */
export const TokenScopeSchema = z.enum(['read', 'act', 'admin']);
export type TokenScope = z.infer<typeof TokenScopeSchema>;
