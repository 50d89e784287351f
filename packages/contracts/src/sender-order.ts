import { z } from 'zod';

/** Identifies a sender to one user: another user has another id for the same address. */
export const SenderIdSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be the id of a sender' })
  .meta({ example: '9f2c'.repeat(16) });

/** What senders are ordered by, the most first. */
export const SenderSortSchema = z.enum(['mails', 'unread', 'bytes', 'lastSeen', 'suggested']);
export type SenderSort = z.infer<typeof SenderSortSchema>;
