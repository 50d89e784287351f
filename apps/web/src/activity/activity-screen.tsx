import { t } from '@lingui/core/macro';
import type { Activity, SummaryPeriod } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { formatCount } from '../email/counts.ts';
import { formatBytes } from '../email/sizes.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { activityQuery, CHART_DAYS, decisionsQuery } from './activity-queries.ts';
import classes from './activity-screen.module.css';
import { ActivityCharts } from './charts/activity-charts.tsx';

import { ChartCard } from './charts/chart-card.tsx';
import screen from './charts/charts-screen.module.css';
import { DayChart } from './charts/day-chart.tsx';
import { toDecisionsByDay } from './charts/decisions-by-day.ts';
import { InboxChart } from './charts/inbox-chart.tsx';
import numbers from './cleaned-numbers.module.css';

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
      t`Senders silenced`,
      silencedSenders === undefined ? ' ' : formatCount(silencedSenders),
      t`None of their email is left in the inbox`,
    ],
  ];
};

/** What the user has cleaned in a period. */
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

/** What the user has cleaned and decided, and what became of the inbox. */
export const ActivityScreen = () => {
  const { period } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: activity, error, refetch } = useQuery(activityQuery(useApi().client, period));
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
          <ChartCard title={t`Your inbox over time`}>
            <div className={classes.inbox}>
              {activity ? <InboxChart sizes={activity.inboxSizes} /> : <Skeleton height={156} />}
            </div>
          </ChartCard>
          <ActivityCharts activity={activity} />
          <Decisions />
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
