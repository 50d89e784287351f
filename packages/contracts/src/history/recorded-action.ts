import { z } from 'zod';
import { ACTION_SOURCES, RECORDED_ACTIONS } from '../values/choices.ts';

export const ActionSourceSchema = z.enum(ACTION_SOURCES);
export type ActionSource = z.infer<typeof ActionSourceSchema>;

export const RecordedActionSchema = z.enum(RECORDED_ACTIONS);
export type RecordedAction = z.infer<typeof RecordedActionSchema>;

/** How a user confirms a suggestion. */
export const ConfirmActionSchema = z.enum(['accept', 'reject']);
export type ConfirmAction = z.infer<typeof ConfirmActionSchema>;
