import { t } from '@lingui/core/macro';
import { IconStack2 } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useVirtualRows } from '../../controls/list/use-virtual-rows.ts';
import { countEmails } from '../../email/counts.ts';
import { SenderAvatar } from '../../email/sender/sender-avatar.tsx';
import { ProtectedMark } from '../../protection/protections.tsx';
import shapes from '../../shapes.module.css';
import { toConsequences } from '../../suggestions/consequences.ts';
import { ActionBadge, Confidence } from '../../suggestions/suggestion-words.tsx';
import classes from './group-list.module.css';
import type { QueueGroup } from './queue-group.ts';

/** Unit: pixels; the same number is in group-list.module.css. */
const ROW_HEIGHT = { wide: 104, narrow: 104 };
/** Loads the next page once fewer groups are left below the screen. */
const PREFETCH_ROWS = 20;

const GroupButton = (props: {
  group: QueueGroup;
  isActive: boolean;
  isTabStop: boolean;
  onOpen: () => void;
  onSpace: () => void;
}) => {
  const { group, isActive } = props;
  return (
    <button
      type="button"
      className={classes.group}
      data-row-id={group.id}
      aria-current={isActive || undefined}
      data-active={isActive || undefined}
      tabIndex={props.isTabStop ? 0 : -1}
      onClick={props.onOpen}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        props.onSpace();
      }}
    >
      {group.from === null ? (
        <span className={classes.sign} aria-hidden="true">
          <IconStack2 size={18} stroke={1.7} />
        </span>
      ) : (
        <SenderAvatar from={group.from} size="lg" />
      )}
      <span className={classes.words}>
        <span className={classes.first}>
          <bdi className={`${shapes.oneLine} ${classes.title}`}>{group.title}</bdi>
          {group.from !== null && <ProtectedMark from={group.from} />}
          <span className={classes.count}>{countEmails(group.emails)}</span>
        </span>
        <span className={classes.second}>
          <span className={`${shapes.oneLine} ${classes.reasons}`}>
            {group.from === null ? group.note : group.reasons.join(', ')}
          </span>
          <Confidence least={group.leastAcceptance} most={group.mostAcceptance} />
        </span>
        <span className={classes.third}>
          {toConsequences(group.actions).counts.map(({ action, count }) => (
            <ActionBadge key={action} action={action} count={count} />
          ))}
        </span>
      </span>
    </button>
  );
};

/** The groups to decide about. Only the active one is a tab stop, so that Tab leads on to its emails. */
export const GroupList = (props: {
  name: string;
  groups: readonly QueueGroup[];
  activeKey: string | null;
  hasMore: boolean;
  loadMore: () => void;
  onOpen: (key: string) => void;
  onSpace: () => void;
}) => {
  const { groups, activeKey, hasMore, loadMore } = props;
  const { scroll, activeIndex, lastRow, totalHeight, inSight } = useVirtualRows({
    name: props.name,
    rows: groups,
    activeId: activeKey,
    rowHeight: ROW_HEIGHT,
  });
  useEffect(() => {
    if (hasMore && lastRow >= groups.length - PREFETCH_ROWS) loadMore();
  });
  return (
    <div ref={scroll} className={classes.scroll}>
      <ul
        className={`${shapes.virtualList} ${classes.list}`}
        aria-label={t`Groups of suggestions`}
        style={{ height: totalHeight }}
      >
        {inSight.map(({ index, top }) => {
          const group = groups[index];
          return (
            group && (
              <li
                key={group.id}
                aria-setsize={hasMore ? -1 : groups.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${top}px)` }}
              >
                <GroupButton
                  group={group}
                  isActive={group.key === activeKey}
                  isTabStop={index === Math.max(0, activeIndex)}
                  onOpen={() => props.onOpen(group.key)}
                  onSpace={props.onSpace}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
};
