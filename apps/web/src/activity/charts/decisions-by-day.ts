import type { ActionBatch } from '@mailsweep/contracts';
import { toDayKey } from '../../time/format-time.tsx';

export interface DecisionDay {
  date: Date;
  accepted: number;
  rejected: number;
}

/**
 * Counts decisions that were not undone by calendar day; includes days without any.
 *
 * @param input.days - how many days, including today
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

/** Share of acceptances, from 0 to 1; null without decisions. */
export const toAcceptance = (counts: { accepted: number; rejected: number }): number | null => {
  const all = counts.accepted + counts.rejected;
  return all === 0 ? null : counts.accepted / all;
};
