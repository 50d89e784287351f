import { t } from '@lingui/core/macro';
import type { Activity } from '@mailsweep/contracts';
import { formatCount } from '../email/counts.ts';
import { formatBytes } from '../email/sizes.ts';
import shapes from '../shapes.module.css';
import classes from './cleaned-numbers.module.css';

const toNumbers = (activity: Activity | undefined): [name: string, value: string, meaning?: string][] => {
  const { cleaned, silencedSenders } = activity ?? {};
  return [
    [t`Emails cleaned`, cleaned ? formatCount(cleaned.emails) : ' '],
    [
      t`Freed when Gmail empties the trash`,
      cleaned ? (cleaned.bytes === 0 ? '–' : formatBytes(cleaned.bytes)) : ' ',
    ],
    [t`Senders cleaned`, cleaned ? formatCount(cleaned.senders) : ' '],
    [
      t`Senders silenced`,
      silencedSenders === undefined ? ' ' : formatCount(silencedSenders),
      t`None of their email is left in the inbox`,
    ],
  ];
};

/** What the user has cleaned in a period. */
export const CleanedNumbers = ({ activity }: { activity: Activity | undefined }) => (
  <dl className={`${shapes.card} ${classes.numbers}`}>
    {toNumbers(activity).map(([name, value, meaning]) => (
      <div key={name} className={classes.number}>
        <dt title={meaning}>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
