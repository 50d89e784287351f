import { IconStack2 } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { isFocusFree } from '../controls/is-focus-free.ts';
import { countEmails } from '../email/counts.ts';
import { SenderAvatar } from '../email/sender-avatar.tsx';
import { ActionBadge } from './action-badge.tsx';
import { Confidence } from './confidence.tsx';
import classes from './group-list.module.css';
import type { SuggestionGroup } from './suggestion-groups.ts';

/** Groups that a first look needs; the others follow in a piece of work of their own. */
const FIRST_GROUPS = 8;

const GroupButton = (props: { group: SuggestionGroup; isActive: boolean; onOpen: () => void }) => {
  const { group, isActive } = props;
  return (
    <button
      type="button"
      className={classes.group}
      aria-current={isActive || undefined}
      data-active={isActive || undefined}
      onClick={props.onOpen}
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
          <bdi className={classes.title}>{group.title}</bdi>
          <span className={classes.count}>{countEmails(group.emails.length)}</span>
        </span>
        <span className={classes.second}>
          <span className={classes.reasons}>
            {group.from === null ? group.note : group.reasons.join(', ')}
          </span>
          <Confidence {...group.confidence} />
        </span>
        <span className={classes.third}>
          {group.plan.counts.map(({ action, count }) => (
            <ActionBadge key={action} action={action} count={count} />
          ))}
        </span>
      </span>
    </button>
  );
};

/** The groups to decide about. The active one keeps the focus while the keyboard walks through them. */
export const GroupList = (props: {
  groups: readonly SuggestionGroup[];
  activeKey: string | undefined;
  onOpen: (key: string) => void;
  footer: ReactNode;
}) => {
  const list = useRef<HTMLUListElement>(null);
  const { activeKey } = props;
  const focusedKey = useRef(activeKey);
  const count = useDeferredValue(props.groups.length, FIRST_GROUPS);
  useEffect(() => {
    // The group that is active from the start does not take the focus from the page.
    if (activeKey === focusedKey.current) return;
    focusedKey.current = activeKey;
    const button = list.current?.querySelector<HTMLElement>('[data-active]');
    button?.scrollIntoView({ block: 'nearest' });
    if (isFocusFree(list.current)) button?.focus({ preventScroll: true });
  }, [activeKey]);
  return (
    <div className={classes.scroll}>
      <ul ref={list} className={classes.list} aria-label="Groups of suggestions">
        {props.groups.slice(0, count).map((group) => (
          <li key={group.key}>
            <GroupButton
              group={group}
              isActive={group.key === activeKey}
              onOpen={() => props.onOpen(group.key)}
            />
          </li>
        ))}
      </ul>
      {props.footer}
    </div>
  );
};
