import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Agreement, Precision, StoppedSuggestion } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import charts from '../activity/charts/charts.module.css';
import { type Bar, BarList, ChartCard } from '../activity/charts/charts.tsx';
import screen from '../activity/charts/charts-screen.module.css';
import { useApi } from '../api/api-context.tsx';
import { pagedQuery } from '../api/paged-list.ts';
import { PRECISION_KEY } from '../api/query-keys.ts';
import { precisionQuery } from '../api/suggestions-query.ts';
import { LoadMoreButton } from '../controls/load-buttons.tsx';
import { formatCount, formatShare } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { allowSuggestions } from '../suggestions/confirming/stopped-notice.ts';
import { BAND_NAMES, describeReason, toActionName } from '../suggestions/suggestion-words.tsx';
import { formatLongDay } from '../time/format-time.tsx';
import classes from './precision-screen.module.css';

const Stopped = ({ stopped }: { stopped: StoppedSuggestion }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const allow = useMutation({ mutationFn: () => allowSuggestions({ queryClient, client }, [stopped]) });
  const { name } = parseSender(stopped.from);
  const action = toActionName(stopped.action);
  return (
    <li className={classes.stopped}>
      <span className={classes.words}>
        <bdi>{name}</bdi>: {action}
      </span>
      <Button
        variant="default"
        loading={allow.isPending}
        aria-label={t`Allow again: ${{ action }}, ${{ name }}`}
        onClick={() => allow.mutate()}
      >
        {t`Allow again`}
      </Button>
    </li>
  );
};

/** What the user rejected three times in a row, with the way back. */
const StoppedSuggestions = () => {
  const { client } = useApi();
  const query = useInfiniteQuery(
    pagedQuery([...PRECISION_KEY, 'stopped'], (page, signal) =>
      client.listStoppedSuggestions({ query: page, signal }),
    ),
  );
  const rows = query.data?.pages.flatMap((page) => page.data);
  return (
    <ChartCard
      title={t`No longer suggested`}
      note={t`You rejected it for three emails or more, one after another.`}
    >
      {query.isPending && <Skeleton height={48} />}
      {query.isError && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && <p className={classes.nothing}>{t`Everything is suggested.`}</p>}
      {rows && rows.length > 0 && (
        <ul className={`${shapes.plainList} ${classes.list}`} aria-label={t`No longer suggested`}>
          {rows.map((stopped) => (
            <Stopped key={stopped.id} stopped={stopped} />
          ))}
        </ul>
      )}
      <LoadMoreButton query={query} className={classes.more}>{t`Show more`}</LoadMoreButton>
    </ChartCard>
  );
};

const WEEKS_SHOWN = 8;
const CLASSIFICATIONS_SHOWN = 8;

/** `check` promises nothing. */
const BANDS = ['sure', 'likely'] as const;
type Band = (typeof BANDS)[number];

/** The longer the bar, the more often the user agreed. */
const toBar = (name: string, { agreed, decided }: Agreement): Bar => ({
  name,
  count: agreed / decided,
  label: t`${{ share: formatShare(agreed / decided) }} of ${{ count: formatCount(decided) }}`,
  color: 'archive',
});

const toWeekBars = ({ spans }: Precision, band: Band): Bar[] =>
  spans
    .filter((span) => span[band].decided > 0)
    .slice(-WEEKS_SHOWN)
    .map((span) => toBar(formatLongDay(new Date(`${span.start}T12:00:00`)), span[band]));

const toReasonBars = ({ classifications }: Precision, band: Band): Bar[] =>
  classifications
    .filter((reason) => reason[band].decided > 0)
    .slice(0, CLASSIFICATIONS_SHOWN)
    .map((reason) => toBar(describeReason(reason.classification).name, reason[band]));

const Figure = ({ measured, name }: { measured: Precision[Band]; name: string }) => {
  const { decided, agreed, low, high } = measured;
  if (decided === 0 || low === null || high === null) {
    return (
      <p className={classes.nothing}>
        <Trans>{name}: no decision yet.</Trans>
      </p>
    );
  }
  return (
    <div>
      <p className={classes.sentence}>
        <Trans>
          {name}: you agreed with {formatCount(agreed)} of {formatCount(decided)} suggestions.
        </Trans>
      </p>
      <p className={classes.nothing}>
        <Trans>
          With 95 % certainty, the true share is between {formatShare(low)} and {formatShare(high)}.
        </Trans>
      </p>
    </div>
  );
};

/** Precision by week and by reason. @param props.precision - undefined while loading */
const BandCharts = (props: { precision: Precision | undefined; band: Band; name: string }) => {
  const { precision, band, name } = props;
  const toBarList = (title: string, bars: Bar[] | undefined, expectedBars: number) => (
    <BarList
      title={title}
      bars={bars}
      mostBars={bars ? Math.max(1, bars.length) : expectedBars}
      longestBar={1}
      empty={t`No decision yet.`}
    />
  );
  const byWeek = precision && toWeekBars(precision, band);
  const byReason = precision && toReasonBars(precision, band);
  return (
    <>
      <ChartCard title={t`${{ band: name }}, by week`} note={t`The week that begins on this day.`}>
        {toBarList(t`Agreement by week: ${{ band: name }}`, byWeek, WEEKS_SHOWN)}
      </ChartCard>
      <ChartCard title={t`${{ band: name }}, by reason`} note={t`The most frequent first.`}>
        {toBarList(t`Agreement by reason: ${{ band: name }}`, byReason, CLASSIFICATIONS_SHOWN)}
      </ChartCard>
    </>
  );
};

/** Nothing to measure is not the same as never wrong. */
const NothingDecided = () => (
  <ChartCard title={t`To date`}>
    <p className={classes.sentence}>{t`You have not decided about a suggestion yet.`}</p>
    <p className={classes.nothing}>
      {t`Until then, nothing is called sure: that takes a few decisions of yours. How often it was right for you is shown here afterwards.`}
    </p>
  </ChartCard>
);

/** How often the user agreed with sure and likely suggestions, and what is no longer suggested. */
export const PrecisionScreen = () => {
  const { client } = useApi();
  const { data: precision, error, refetch } = useQuery(precisionQuery(client));
  const decided = precision && precision.sure.decided + precision.likely.decided + precision.check.decided;
  return (
    <div className={screen.screen}>
      <ScreenHeader title={t`Precision`}>
        <Button variant="default" renderRoot={(props) => <Link {...props} to="/activity" />}>
          {t`Activity`}
        </Button>
      </ScreenHeader>
      <div className={screen.parts}>
        {error && !precision ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : decided === 0 ? (
          <NothingDecided />
        ) : (
          <>
            <ChartCard title={t`To date`} note={t`What you undid does not count.`}>
              <div className={classes.figure}>
                {precision ? (
                  BANDS.map((band) => (
                    <Figure key={band} measured={precision[band]} name={i18n._(BAND_NAMES[band])} />
                  ))
                ) : (
                  <Skeleton height={116} />
                )}
              </div>
            </ChartCard>
            <div className={charts.charts}>
              {BANDS.map((band) => (
                <BandCharts key={band} precision={precision} band={band} name={i18n._(BAND_NAMES[band])} />
              ))}
            </div>
          </>
        )}
        <StoppedSuggestions />
      </div>
    </div>
  );
};
