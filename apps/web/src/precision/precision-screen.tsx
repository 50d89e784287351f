import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Agreement, Precision } from '@mailsweep/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Bar, BarList } from '../activity/bar-list.tsx';
import charts from '../activity/chart-card.module.css';
import { ChartCard } from '../activity/chart-card.tsx';
import { useApi } from '../api/api-context.tsx';
import { formatCount, formatShare } from '../email/counts.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { ScreenHeader } from '../shell/screen-header.tsx';
import { describeReason } from '../suggestions/suggestion-words.ts';
import { formatLongDay } from '../time/format-time.ts';
import { precisionQuery } from './precision-queries.ts';
import classes from './precision-screen.module.css';
import { StoppedSuggestions } from './stopped-suggestions.tsx';

const WEEKS_SHOWN = 8;
const CLASSIFICATIONS_SHOWN = 8;

/** The longer the bar, the more often the user agreed. */
const toBar = (name: string, { agreed, decided }: Agreement): Bar => ({
  name,
  count: agreed / decided,
  label: t`${{ share: formatShare(agreed / decided) }} of ${{ count: formatCount(decided) }}`,
  color: 'archive',
});

const toWeekBars = ({ spans }: Precision): Bar[] =>
  spans
    .filter(({ sure }) => sure.decided > 0)
    .slice(-WEEKS_SHOWN)
    .map(({ start, sure }) => toBar(formatLongDay(new Date(`${start}T12:00:00`)), sure));

const toReasonBars = ({ classifications }: Precision): Bar[] =>
  classifications
    .filter(({ sure }) => sure.decided > 0)
    .slice(0, CLASSIFICATIONS_SHOWN)
    .map(({ classification, sure }) => toBar(describeReason(classification).name, sure));

const Figure = ({ precision }: { precision: Precision }) => {
  const { decided, agreed, low, high } = precision.sure;
  if (decided === 0 || low === null || high === null) {
    return (
      <p className={classes.sentence}>
        <Trans>You have decided about no suggestion called sure yet.</Trans>
      </p>
    );
  }
  return (
    <>
      <p className={classes.sentence}>
        <Trans>
          You agreed with {formatCount(agreed)} of {formatCount(decided)} suggestions called sure.
        </Trans>
      </p>
      <p className={classes.nothing}>
        <Trans>
          With 95 % certainty, the true share is between {formatShare(low)} and {formatShare(high)}. What you
          undid counts as not agreed.
        </Trans>
      </p>
    </>
  );
};

/** How often the user agreed with what was called sure, and what is no longer suggested. */
export const PrecisionScreen = () => {
  const { client } = useApi();
  const { data: precision, error, refetch } = useQuery(precisionQuery(client));
  const bars = (toBars: (of: Precision) => Bar[]) => precision && toBars(precision);
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Precision`}>
        <Link to="/activity">{t`Activity`}</Link>
      </ScreenHeader>
      <div className={classes.parts}>
        {error && !precision ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <ChartCard title={t`How often “sure” was right`}>
              <div className={classes.figure}>
                {precision ? <Figure precision={precision} /> : <Skeleton height={72} />}
              </div>
            </ChartCard>
            <div className={charts.charts}>
              <ChartCard title={t`By week`} note={t`The week that begins on this day.`}>
                <BarList
                  title={t`Agreement by week`}
                  bars={bars(toWeekBars)}
                  mostBars={WEEKS_SHOWN}
                  longestBar={1}
                  empty={t`No decision yet.`}
                />
              </ChartCard>
              <ChartCard title={t`By reason`} note={t`The most frequent first.`}>
                <BarList
                  title={t`Agreement by reason`}
                  bars={bars(toReasonBars)}
                  mostBars={CLASSIFICATIONS_SHOWN}
                  longestBar={1}
                  empty={t`No decision yet.`}
                />
              </ChartCard>
            </div>
          </>
        )}
        <StoppedSuggestions />
      </div>
    </div>
  );
};
