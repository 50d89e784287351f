import { z } from 'zod';
import { SUMMARY_PERIODS } from './choices.ts';

export const SummaryPeriodSchema = z.enum(SUMMARY_PERIODS);
export type SummaryPeriod = z.infer<typeof SummaryPeriodSchema>;

export const SUMMARY_WINDOW_HOURS: Record<SummaryPeriod, number> = { daily: 24, weekly: 7 * 24 };
