import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatCount, formatShare } from '../../email/counts.ts';
import { formatLongDay, formatWeekday } from '../../time/format-time.ts';
import classes from './day-chart.module.css';
import { type DecisionDay, toAcceptance } from './decisions-by-day.ts';

const describeDay = (day: DecisionDay): string => {
  const acceptance = toAcceptance(day);
  if (acceptance === null) return t`${formatLongDay(day.date)}: no decision`;
  return t`${formatLongDay(day.date)}: ${formatCount(day.accepted)} accepted, ${formatCount(day.rejected)} rejected, ${formatShare(acceptance)} accepted`;
};

const Column = ({ day, most }: { day: DecisionDay; most: number }) => {
  const acceptance = toAcceptance(day);
  return (
    <div className={classes.column} title={describeDay(day)}>
      <span className={classes.share}>{acceptance === null ? '' : formatShare(acceptance)}</span>
      <span className={classes.stack}>
        <span className={classes.rejected} style={{ height: `${(day.rejected / most) * 100}%` }} />
        <span className={classes.accepted} style={{ height: `${(day.accepted / most) * 100}%` }} />
      </span>
      <span className={classes.day}>
        <span className={classes.weekday}>{formatWeekday(day.date)}</span> {day.date.getDate()}
      </span>
    </div>
  );
};

/** Decisions day by day: a column of accepted and rejected ones, under the share that was accepted. */
export const DayChart = ({ days }: { days: readonly DecisionDay[] }) => {
  const most = Math.max(...days.map((day) => day.accepted + day.rejected));
  if (most === 0)
    return (
      <p className={classes.nothing}>
        <Trans>You decided nothing in these days.</Trans>
      </p>
    );
  return (
    <>
      <div className={classes.legend} aria-hidden="true">
        <span data-kind="accepted">
          <Trans>Accepted</Trans>
        </span>
        <span data-kind="rejected">
          <Trans>Rejected</Trans>
        </span>
        <span data-kind="share">
          <Trans>% accepted</Trans>
        </span>
      </div>
      <div className={classes.chart} aria-hidden="true">
        {days.map((day) => (
          <Column key={day.date.getTime()} day={day} most={most} />
        ))}
      </div>
      <ul className="sr-only" aria-label={t`Decisions by day`}>
        {days.map((day) => (
          <li key={day.date.getTime()}>{describeDay(day)}</li>
        ))}
      </ul>
    </>
  );
};
