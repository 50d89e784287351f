import type { SuggestionSummary } from '@mailsweep/contracts';
import { formatCount, formatShare } from '../email/counts.ts';
import { toAcceptance } from './decisions-by-day.ts';
import classes from './summary-numbers.module.css';

const toNumbers = (summary: SuggestionSummary | undefined): [string, string][] => {
  if (!summary)
    return [
      ['Emails with suggestions', ' '],
      ['Decisions', ' '],
      ['Accepted', ' '],
    ];
  const { suggested, accepted, rejected } = summary;
  const acceptance = toAcceptance({ accepted, rejected });
  return [
    ['Emails with suggestions', formatCount(suggested)],
    ['Decisions', formatCount(accepted + rejected)],
    ['Accepted', acceptance === null ? '–' : formatShare(acceptance)],
  ];
};

/** The plain numbers of a period. */
export const SummaryNumbers = ({ summary }: { summary: SuggestionSummary | undefined }) => (
  <dl className={classes.numbers}>
    {toNumbers(summary).map(([name, value]) => (
      <div key={name} className={classes.number}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
