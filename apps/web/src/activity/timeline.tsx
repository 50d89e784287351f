import { IconCheck, IconCircleDot, IconSparkles, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { LoadMoreButton } from '../controls/load-more-button.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { formatDay, toDayKey } from '../time/format-time.ts';
import { Timestamp } from '../time/timestamp.tsx';
import type { ActivityFilters } from './activity-filters.ts';
import { eventsQuery } from './activity-queries.ts';
import { describeEvent, type EventWords } from './event-words.ts';
import classes from './timeline.module.css';

const ICONS: Record<EventWords['kind'], typeof IconCheck> = {
  generated: IconSparkles,
  accepted: IconCheck,
  rejected: IconX,
  other: IconCircleDot,
};

const Events = ({ kind }: { kind: ActivityFilters['events'] }) => {
  const { client } = useApi();
  const query = useInfiniteQuery(eventsQuery(client, kind));
  if (query.isPending) return <Skeleton height={320} />;
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const events = query.data.pages.flatMap((page) => page.data);
  const now = new Date();
  if (events.length === 0) {
    return <p className={classes.empty}>Nothing has happened yet. Open the suggestions to begin.</p>;
  }
  return (
    <>
      {[...Map.groupBy(events, (event) => toDayKey(new Date(event.createdAt)))].map(([day, ofDay]) => (
        <section key={day}>
          <h3 className={classes.day}>{formatDay(new Date(ofDay[0]?.createdAt ?? now), now)}</h3>
          <ol className={classes.events}>
            {ofDay.map((event) => {
              const words = describeEvent(event);
              const Icon = ICONS[words.kind];
              return (
                <li key={event.id} className={classes.event}>
                  <span className={classes.sign} data-kind={words.kind} aria-hidden="true">
                    <Icon size={16} stroke={1.8} />
                  </span>
                  <span className={classes.words}>
                    <span>{words.title}</span>
                    {words.detail && <span className={classes.detail}>{words.detail}</span>}
                  </span>
                  <Timestamp value={event.createdAt} style="clock" className={classes.time} />
                </li>
              );
            })}
          </ol>
        </section>
      ))}
      <LoadMoreButton query={query} className={classes.more}>
        Show earlier events
      </LoadMoreButton>
    </>
  );
};

/** What happened, newest first. */
export const Timeline = (props: {
  kind: ActivityFilters['events'];
  onKind: (kind: ActivityFilters['events']) => void;
}) => (
  <section className={classes.timeline}>
    <header className={classes.head}>
      <h2 className={classes.title}>Timeline</h2>
      <SegmentedChoice
        size="small"
        name="Kind of event"
        value={props.kind ?? 'any'}
        onChange={(value) => props.onKind(value === 'any' ? undefined : value)}
        choices={[
          { value: 'any', label: 'All' },
          { value: 'generated', label: 'Suggested' },
          { value: 'confirmed', label: 'Decided' },
        ]}
      />
    </header>
    <Events kind={props.kind} />
  </section>
);
