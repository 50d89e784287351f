import { z } from 'zod';

/** Where an action came from: a confirmed suggestion, or the inbox itself. */
export const ActionSourceSchema = z.enum(['suggestions', 'inbox']);
export type ActionSource = z.infer<typeof ActionSourceSchema>;

/** What was done, as the history keeps it. */
export const RecordedActionSchema = z.enum(['accept', 'reject', 'archive', 'delete', 'mark_unread']);
export type RecordedAction = z.infer<typeof RecordedActionSchema>;

/** How a user confirms a suggestion. */
export const ConfirmActionSchema = z.enum(['accept', 'reject']);
export type ConfirmAction = z.infer<typeof ConfirmActionSchema>;
