import { z } from 'zod';
import { SENDER_GROUPINGS, SENDER_SORTS } from './choices.ts';

/** Identifies a sender to one user: another user has another id for the same address. */
export const SENDER_ID = /^[0-9a-f]{64}$/;
export const SenderIdSchema = z
  .string()
  .regex(SENDER_ID, { error: 'must be the id of a sender' })
  .meta({ example: '9f2c'.repeat(16) });

export const SenderSortSchema = z.enum(SENDER_SORTS);
export type SenderSort = z.infer<typeof SenderSortSchema>;

export const SenderGroupingSchema = z.enum(SENDER_GROUPINGS);
export type SenderGrouping = z.infer<typeof SenderGroupingSchema>;
