import type { NotificationSummary } from '@mailsweep/contracts';
import { formatCount, formatShare } from '../email/counts.ts';
import { toAcceptance } from './decisions-by-day.ts';
import classes from './summary-numbers.module.css';

const toNumbers = (summary: NotificationSummary | undefined): [string, string][] => {
  if (!summary)
    return [
      ['Times suggested', ' '],
      ['Decisions', ' '],
      ['Accepted', ' '],
      ['Events', ' '],
    ];
  const acceptance = toAcceptance({
    accepted: summary.confirmedActions.accept ?? 0,
    rejected: summary.confirmedActions.reject ?? 0,
  });
  return [
    ['Times suggested', formatCount(summary.totalSuggestions)],
    ['Decisions', formatCount(summary.totalConfirmed)],
    ['Accepted', acceptance === null ? '–' : formatShare(acceptance)],
    ['Events', formatCount(summary.totalEvents)],
  ];
};

/** The plain numbers of a period. */
export const SummaryNumbers = ({ summary }: { summary: NotificationSummary | undefined }) => (
  <dl className={classes.numbers}>
    {toNumbers(summary).map(([name, value]) => (
      <div key={name} className={classes.number}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
