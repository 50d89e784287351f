import { z } from 'zod';

/** Stands for a sender: the same for all mail from one address of one person, and without meaning to anybody else. */
export const SenderIdSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be the id of a sender' })
  .meta({ example: '9f2c'.repeat(16) });

/** What senders are ordered by, the most first. */
export const SenderSortSchema = z.enum(['mails', 'unread', 'bytes', 'lastSeen', 'suggested']);
export type SenderSort = z.infer<typeof SenderSortSchema>;
