import { z } from 'zod';

/**
 * `read` changes nothing; `act` does what undo can reverse; `admin` does what lasts, such as rules and unsubscribing.
 * Each scope includes those before it.
 */
export const TokenScopeSchema = z.enum(['read', 'act', 'admin']);
export type TokenScope = z.infer<typeof TokenScopeSchema>;
