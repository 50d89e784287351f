import type { Counts, SuggestedAction, SuggestionSummary } from '@mailsweep/contracts';
import type { ReactNode } from 'react';
import { describeReason } from '../suggestions/suggestion-words.ts';
import { type Bar, BarList } from './bar-list.tsx';
import classes from './summary-charts.module.css';

/** Kinds shown before the rest is left to the numbers. */
const CLASSIFICATIONS_SHOWN = 8;

const ACTION_NAMES: Record<SuggestedAction, string> = {
  archive: 'Archive',
  delete: 'Move to Trash',
  label: 'Label',
  notify: 'Keep',
};

const SUGGESTED_ACTIONS = Object.keys(ACTION_NAMES) as SuggestedAction[];

const toSuggestedBars = (counts: Counts): Bar[] =>
  SUGGESTED_ACTIONS.map(
    (action): Bar => ({ name: ACTION_NAMES[action], count: counts[action] ?? 0, color: action }),
  ).filter((bar) => bar.count > 0);

const toDecisionBars = ({ accepted, rejected }: SuggestionSummary): Bar[] =>
  [
    { name: 'Accepted', count: accepted, color: 'archive' as const },
    { name: 'Rejected', count: rejected, color: 'neutral' as const },
  ].filter((bar) => bar.count > 0);

const toClassificationBars = (counts: Counts): Bar[] =>
  Object.entries(counts)
    .map(
      ([classification, count]): Bar => ({
        name: describeReason(classification).name,
        count,
        color: 'label',
      }),
    )
    .sort((a, b) => b.count - a.count)
    .slice(0, CLASSIFICATIONS_SHOWN);

export const ChartCard = (props: { title: string; note?: string; children: ReactNode }) => (
  <section className={classes.card}>
    <h2 className={classes.title}>{props.title}</h2>
    {props.note && <p className={classes.note}>{props.note}</p>}
    {props.children}
  </section>
);

/** Suggested against confirmed, and the kinds of email, of one period. */
export const SummaryCharts = ({ summary }: { summary: SuggestionSummary | undefined }) => (
  <div className={classes.charts}>
    <ChartCard
      title="Suggested, and what you decided"
      note="Each email counts once; what you undid does not count."
    >
      <BarList
        title="Suggested actions"
        bars={summary && toSuggestedBars(summary.actions)}
        mostBars={SUGGESTED_ACTIONS.length}
        empty="Nothing was suggested in this time."
      />
      <div className={classes.rule} />
      <BarList
        title="Your decisions"
        bars={summary && toDecisionBars(summary)}
        mostBars={2}
        empty="You decided nothing in this time."
      />
    </ChartCard>
    <ChartCard title="Kinds of email">
      <BarList
        title="Classifications"
        bars={summary && toClassificationBars(summary.classifications)}
        mostBars={CLASSIFICATIONS_SHOWN}
        empty="No email was classified in this time."
      />
    </ChartCard>
  </div>
);
