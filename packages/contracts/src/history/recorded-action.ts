import { z } from 'zod';

/** Where an action came from: a confirmed suggestion, the inbox itself, a cleanup, or a rule. */
export const ACTION_SOURCES = ['suggestions', 'inbox', 'cleanup', 'rule'] as const;
export const ActionSourceSchema = z.enum(ACTION_SOURCES);
export type ActionSource = z.infer<typeof ActionSourceSchema>;

/** What was done, as the history keeps it. */
export const RECORDED_ACTIONS = [
  'accept',
  'reject',
  'archive',
  'delete',
  'mark_unread',
  'mark_read',
  'label',
] as const;
export const RecordedActionSchema = z.enum(RECORDED_ACTIONS);
export type RecordedAction = z.infer<typeof RecordedActionSchema>;

/** How a user confirms a suggestion. */
export const ConfirmActionSchema = z.enum(['accept', 'reject']);
export type ConfirmAction = z.infer<typeof ConfirmActionSchema>;
