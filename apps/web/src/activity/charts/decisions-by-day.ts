import type { ActionBatch } from '@mailsweep/contracts';
import { toDayKey } from '../../time/format-time.ts';

/** The decisions of one day. */
export interface DecisionDay {
  date: Date;
  accepted: number;
  rejected: number;
}

/**
 * Adds up decisions that were not undone by calendar day, for each of the last days, also for those without any.
 *
 * @param input.days - how many days, today included
 */
export const toDecisionsByDay = (input: {
  batches: readonly ActionBatch[];
  days: number;
  now: Date;
}): DecisionDay[] => {
  const { now } = input;
  const days = Array.from({ length: input.days }, (_nothing, index): DecisionDay => {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (input.days - 1 - index));
    return { date, accepted: 0, rejected: 0 };
  });
  const byKey = new Map(days.map((day) => [toDayKey(day.date), day]));
  for (const { action, startedAt, total, undone } of input.batches) {
    const day = byKey.get(toDayKey(new Date(startedAt)));
    if (!day) continue;
    if (action === 'accept') day.accepted += total - undone;
    if (action === 'reject') day.rejected += total - undone;
  }
  return days;
};

/** Share of the decisions that were a yes, from 0 to 1; null without any decision. */
export const toAcceptance = (counts: { accepted: number; rejected: number }): number | null => {
  const all = counts.accepted + counts.rejected;
  return all === 0 ? null : counts.accepted / all;
};
