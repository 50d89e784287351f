import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Activity } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { formatLongDay } from '../../time/format-time.ts';
import classes from './inbox-chart.module.css';

/** Days shown, the last ones. */
const DAYS_SHOWN = 60;

type InboxSize = Activity['inboxSizes'][number];

const describe = ({ day, total, unread }: InboxSize): string =>
  t`${formatLongDay(new Date(`${day}T12:00:00`))}: ${countEmails(total)}, ${formatCount(unread)} unread`;

/** How large the inbox was on each day that it was counted. */
export const InboxChart = ({ sizes }: { sizes: readonly InboxSize[] }) => {
  const shown = sizes.slice(-DAYS_SHOWN);
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined || shown.length < 2) {
    return (
      <p className={classes.nothing}>
        <Trans>The inbox is counted once a day: come back tomorrow to see it change.</Trans>
      </p>
    );
  }
  const most = Math.max(1, ...shown.map(({ total }) => total));
  return (
    <>
      <p className={classes.change}>
        <Trans>
          <strong>{formatCount(first.total)}</strong> → <strong>{formatCount(last.total)}</strong> emails in
          the inbox
        </Trans>
      </p>
      <div className={classes.chart} aria-hidden="true">
        {shown.map((size) => (
          <span key={size.day} className={classes.day} title={describe(size)}>
            <span className={classes.column} style={{ height: `${(size.total / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <ul className="sr-only" aria-label={t`Inbox size by day`}>
        {shown.map((size) => (
          <li key={size.day}>{describe(size)}</li>
        ))}
      </ul>
    </>
  );
};
