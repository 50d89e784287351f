import { z } from 'zod';

/** Rolling window of a summary: the last 24 hours or the last 7 days. */
export const SUMMARY_PERIODS = ['daily', 'weekly'] as const;
export const SummaryPeriodSchema = z.enum(SUMMARY_PERIODS);
export type SummaryPeriod = z.infer<typeof SummaryPeriodSchema>;

/** Length of each window, in hours. */
export const SUMMARY_WINDOW_HOURS: Record<SummaryPeriod, number> = { daily: 24, weekly: 7 * 24 };
