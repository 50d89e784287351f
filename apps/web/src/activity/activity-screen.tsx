import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { ScreenHeader } from '../shell/screen-header.tsx';
import type { ActivityFilters, ActivityPeriod } from './activity-filters.ts';
import { CHART_DAYS, decisionsQuery, summaryQuery } from './activity-queries.ts';
import classes from './activity-screen.module.css';
import { DayChart } from './day-chart.tsx';
import { toDecisionsByDay } from './decisions-by-day.ts';
import { ChartCard, SummaryCharts } from './summary-charts.tsx';
import { SummaryNumbers } from './summary-numbers.tsx';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/app/activity');

const DEFAULT_PERIOD: ActivityPeriod = 'weekly';

const Decisions = () => {
  const { client } = useApi();
  const query = useQuery(decisionsQuery(client));
  return (
    <ChartCard title="Your decisions over the last 14 days">
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

/** What Mailsweep suggested, what the user made of it, and when. */
export const ActivityScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { client } = useApi();
  const period = filters.period ?? DEFAULT_PERIOD;
  const summary = useQuery(summaryQuery(client, period));
  const onChange = (change: Partial<ActivityFilters>) =>
    void navigate({ search: (current) => ({ ...current, ...change }), replace: true });
  return (
    <div className={classes.screen}>
      <ScreenHeader title="Activity">
        <SegmentedChoice
          name="Period"
          value={period}
          onChange={(value) => onChange({ period: value === DEFAULT_PERIOD ? undefined : value })}
          choices={[
            { value: 'daily', label: '24 hours' },
            { value: 'weekly', label: '7 days' },
            { value: 'all', label: 'All time' },
          ]}
        />
      </ScreenHeader>
      {summary.error && !summary.data ? (
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
      ) : (
        <div className={classes.parts}>
          <SummaryNumbers summary={summary.data} />
          <SummaryCharts summary={summary.data} />
          <Decisions />
          <Timeline kind={filters.events} onKind={(events) => onChange({ events })} />
        </div>
      )}
    </div>
  );
};
