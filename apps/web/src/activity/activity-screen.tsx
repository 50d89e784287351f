import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ApiClient } from '@mailsweep/client';
import {
  type ActionBatch,
  type Activity,
  type Counts,
  MAX_PER_PAGE,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { ACTIVITY_KEY } from '../api/query-keys.ts';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { countEmails, formatCount, formatShare } from '../email/counts.ts';
import { formatBytes } from '../email/sizes.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { MailboxMap } from '../home/mailbox-map.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { describeReason } from '../suggestions/suggestion-words.tsx';
import { formatLongDay, formatWeekday } from '../time/format-time.tsx';
import classes from './activity-screen.module.css';
import cardClasses from './charts/charts.module.css';
import { type Bar, BarList, ChartCard } from './charts/charts.tsx';
import screen from './charts/charts-screen.module.css';
import { type DecisionDay, toAcceptance, toDecisionsByDay } from './charts/decisions-by-day.ts';
import numbers from './cleaned-numbers.module.css';

const describeDay = (day: DecisionDay): string => {
  const acceptance = toAcceptance(day);
  if (acceptance === null) return t`${formatLongDay(day.date)}: no decision`;
  return t`${formatLongDay(day.date)}: ${formatCount(day.accepted)} accepted, ${formatCount(day.rejected)} rejected, ${formatShare(acceptance)} accepted`;
};

const Column = ({ day, most }: { day: DecisionDay; most: number }) => {
  const acceptance = toAcceptance(day);
  return (
    <div className={classes.chartColumn} title={describeDay(day)}>
      <span className={classes.share}>{acceptance === null ? '' : formatShare(acceptance)}</span>
      <span className={classes.stack}>
        <span className={classes.rejected} style={{ height: `${(day.rejected / most) * 100}%` }} />
        <span className={classes.accepted} style={{ height: `${(day.accepted / most) * 100}%` }} />
      </span>
      <span className={classes.chartDay}>
        <span className={classes.weekday}>{formatWeekday(day.date)}</span> {day.date.getDate()}
      </span>
    </div>
  );
};

/** Accepted and rejected decisions by day, with the share that was accepted. */
const DayChart = ({ days }: { days: readonly DecisionDay[] }) => {
  const most = Math.max(...days.map((day) => day.accepted + day.rejected));
  if (most === 0)
    return (
      <p className={classes.noDecisions}>
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
      <div className={classes.dayChart} aria-hidden="true">
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

/** Most pages that the chart reads; beyond them it says that it is cut short. */
const MAX_DECISION_PAGES = 10;
/** Includes today. */
const CHART_DAYS = 14;

/** Decisions of the days that the chart shows, from as many pages as needed. */
const decisionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: [...ACTIVITY_KEY, 'decisions'],
    queryFn: async ({ signal }) => {
      const today = new Date();
      const since = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (CHART_DAYS - 1));
      const decisions: ActionBatch[] = [];
      for (let page = 1; page <= MAX_DECISION_PAGES; page += 1) {
        // Any source: suggestions are accepted one by one or by a cleanup.
        const { data } = await client.listActionBatches({ query: { page, perPage: MAX_PER_PAGE }, signal });
        const recent = data.filter((batch) => Date.parse(batch.startedAt) >= since.getTime());
        decisions.push(...recent);
        if (recent.length < MAX_PER_PAGE) break;
      }
      return decisions;
    },
  });

const DAYS_SHOWN = 60;

type InboxSize = Activity['inboxSizes'][number];

const describe = ({ day, total, unread }: InboxSize): string =>
  t`${formatLongDay(new Date(`${day}T12:00:00`))}: ${countEmails(total)}, ${formatCount(unread)} unread`;

/** Sizes of the inbox, for each day that has one. */
const InboxChart = ({ sizes }: { sizes: readonly InboxSize[] }) => {
  const shown = sizes.slice(-DAYS_SHOWN);
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return null;
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

/** The rest is too rare to tell. */
const CLASSIFICATIONS_SHOWN = 6;

/** Actions that count as cleaned. */
const DONE = [
  { action: 'archive', name: msg`Archived` },
  { action: 'delete', name: msg`Moved to Trash` },
  { action: 'label', name: msg`Labelled` },
] as const;

const toActionBars = (counts: Counts): Bar[] =>
  DONE.map(({ action, name }) => ({ name: i18n._(name), count: counts[action] ?? 0, color: action })).filter(
    ({ count }) => count > 0,
  );

/** The longer the bar, the more often the user agreed. */
const toAcceptanceBars = (decisions: Activity['decisions']): Bar[] =>
  decisions.slice(0, CLASSIFICATIONS_SHOWN).map(({ classification, ...counts }) => {
    const share = toAcceptance(counts) ?? 0;
    return {
      name: describeReason(classification).name,
      count: share,
      label: t`${{ share: formatShare(share) }} of ${{ count: formatCount(counts.accepted + counts.rejected) }}`,
      color: 'archive',
    };
  });

/** What was done to email, and how often the user agreed. */
const ActivityCharts = ({ activity }: { activity: Activity | undefined }) => (
  <div className={cardClasses.charts}>
    <ChartCard title={t`What was done`} note={t`Each email counts once; what you undid does not count.`}>
      <BarList
        title={t`Emails by action`}
        bars={activity && toActionBars(activity.byAction)}
        mostBars={DONE.length}
        empty={t`Nothing was cleaned in this time.`}
      />
    </ChartCard>
    <ChartCard title={t`How often you accepted`} note={t`By kind of suggestion, the most frequent first.`}>
      <BarList
        title={t`Accepted suggestions by kind`}
        bars={activity && toAcceptanceBars(activity.decisions)}
        mostBars={CLASSIFICATIONS_SHOWN}
        longestBar={1}
        empty={t`You decided nothing in this time.`}
      />
    </ChartCard>
  </div>
);

const route = getRouteApi('/app/activity');

const ALL_TIME = 'all';

const toNumbers = (activity: Activity | undefined): [name: string, value: string, meaning?: string][] => {
  const { cleaned, silencedSenders } = activity ?? {};
  return [
    [t`Emails cleaned`, cleaned ? formatCount(cleaned.emails) : ' '],
    [
      t`Freed when the trash is emptied`,
      cleaned ? (cleaned.bytes === 0 ? '–' : formatBytes(cleaned.bytes)) : ' ',
    ],
    [t`Senders cleaned`, cleaned ? formatCount(cleaned.senders) : ' '],
    [
      t`Senders gone from the inbox`,
      silencedSenders === undefined ? ' ' : formatCount(silencedSenders),
      t`None of their email is left in the inbox`,
    ],
  ];
};

const CleanedNumbers = ({ activity }: { activity: Activity | undefined }) => (
  <dl className={`${shapes.card} ${numbers.numbers}`}>
    {toNumbers(activity).map(([name, value, meaning]) => (
      <div key={name} className={numbers.number}>
        <dt title={meaning}>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const Decisions = () => {
  const query = useQuery(decisionsQuery(useApi().client));
  return (
    <ChartCard title={t`Your decisions over the last 14 days`}>
      <div className={classes.decisions}>
        {query.data ? (
          <DayChart days={toDecisionsByDay({ batches: query.data, days: CHART_DAYS, now: new Date() })} />
        ) : query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton height={222} />
        )}
      </div>
    </ChartCard>
  );
};

/** What the user cleaned and decided, and how the inbox changed. */
export const ActivityScreen = () => {
  const { period } = route.useSearch();
  const navigate = route.useNavigate();
  const { client } = useApi();
  const {
    data: activity,
    error,
    refetch,
  } = useQuery({
    queryKey: [...ACTIVITY_KEY, 'summary', period],
    queryFn: ({ signal }) => client.getActivity({ query: { period }, signal }),
  });
  const isNew = period === undefined && activity?.cleaned.emails === 0 && activity.decisions.length === 0;
  // The inbox is counted once a day: on the first day there is nothing to compare.
  const hasInboxChart = activity === undefined || activity.inboxSizes.length > 1;
  const choose = (value: SummaryPeriod | typeof ALL_TIME) =>
    void navigate({ search: { period: value === ALL_TIME ? undefined : value }, replace: true });
  return (
    <div className={screen.screen}>
      <ScreenHeader title={t`Activity`}>
        <SegmentedChoice
          name={t`Period`}
          value={period ?? ALL_TIME}
          onChange={choose}
          choices={[
            { value: 'daily', label: t`24 hours` },
            { value: 'weekly', label: t`7 days` },
            { value: ALL_TIME, label: t`All time` },
          ]}
        />
      </ScreenHeader>
      {error && !activity ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={screen.parts}>
          <CleanedNumbers activity={activity} />
          {hasInboxChart && (
            <ChartCard title={t`Your inbox over time`}>
              <div className={classes.inbox}>
                {activity ? <InboxChart sizes={activity.inboxSizes} /> : <Skeleton height={156} />}
              </div>
            </ChartCard>
          )}
          {isNew ? (
            // Before there is anything to tell: the inbox as it is.
            <MailboxMap />
          ) : (
            <>
              <ActivityCharts activity={activity} />
              <Decisions />
            </>
          )}
          <Button
            variant="default"
            className={classes.precision}
            renderRoot={(props) => <Link {...props} to="/precision" />}
          >
            {t`How often “safe to clean” was right`}
          </Button>
        </div>
      )}
    </div>
  );
};
