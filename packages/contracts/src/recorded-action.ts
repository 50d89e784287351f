import { z } from 'zod';

/** Where an action came from: a confirmed suggestion, the inbox itself, a cleanup, or a rule. */
export const ActionSourceSchema = z.enum(['suggestions', 'inbox', 'cleanup', 'rule']);
export type ActionSource = z.infer<typeof ActionSourceSchema>;

/** What was done, as the history keeps it. */
export const RecordedActionSchema = z.enum([
  'accept',
  'reject',
  'archive',
  'delete',
  'mark_unread',
  'mark_read',
  'label',
]);
export type RecordedAction = z.infer<typeof RecordedActionSchema>;

/** How a user confirms a suggestion. */
export const ConfirmActionSchema = z.enum(['accept', 'reject']);
export type ConfirmAction = z.infer<typeof ConfirmActionSchema>;
