import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type CleanupPlan, MAX_CLEANUP_EXCEPTIONS } from '@mailsweep/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { RetryButton } from '../../controls/retry-button.tsx';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { pagedQuery, toLoading } from '../../queries/paged-list.ts';
import { CLEANUPS_KEY } from '../../queries/query-keys.ts';
import shapes from '../../shapes.module.css';
import { ActionBadge } from '../../suggestions/action-badge.tsx';
import { ConsequenceList } from '../../suggestions/consequence-list.tsx';
import { toConsequences } from '../../suggestions/consequences.ts';
import { toActionName } from '../../suggestions/suggestion-words.ts';
import { Timestamp } from '../../time/timestamp.tsx';
import { describeExclusions } from './cleanup-words.ts';
import dialog from './plan-dialog.module.css';
import classes from './plan-emails.module.css';

/** Unit: pixels; the same number is in plan-emails.module.css. */
const ROW_HEIGHT = 48;
const ROWS_SHOWN = 5;
const OVERSCAN_ROWS = 6;

/** Emails that are left out of a plan. */
interface LeftOut {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
}

/**
 * The emails of a plan to which one thing is done, by sender, subject and date, each with a tick unless a rule chose them.
 * Pages are loaded as they come into sight.
 */
const PlanEmails = (props: {
  plan: CleanupPlan;
  action: string;
  count: number;
  leftOut: LeftOut | undefined;
}) => {
  const { plan, action, count, leftOut } = props;
  const { client } = useApi();
  const scroll = useRef<HTMLElement>(null);
  const query = useInfiniteQuery(
    pagedQuery(
      [...CLEANUPS_KEY, plan.id, 'emails', action],
      (page, signal) =>
        client.listCleanupEmails({ params: { id: plan.id }, query: { action, ...page }, signal }),
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const { error, loadMore } = toLoading(query);
  const emails = query.data?.pages.flatMap((page) => page.data) ?? [];
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN_ROWS,
  });
  const lastRow = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (lastRow >= emails.length - OVERSCAN_ROWS && !error) loadMore();
  });
  return (
    <>
      {(action === 'delete' || count < plan.total) && (
        <h3 className={classes.title}>
          {action === 'delete' ? (
            t`${countEmails(count)} for the trash`
          ) : (
            <ActionBadge action={action} count={count} />
          )}
        </h3>
      )}
      <section
        ref={scroll}
        className={classes.scroll}
        style={{ height: Math.min(count, ROWS_SHOWN) * ROW_HEIGHT + 2 }}
        aria-label={
          action === 'delete'
            ? t`Emails that move to Trash`
            : count < plan.total
              ? t`Emails: ${{ action: toActionName(action) }}`
              : t`Emails of this cleanup`
        }
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
      >
        <ul
          className={`${shapes.virtualList} ${classes.list}`}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const planned = emails[index];
            const email = planned?.email;
            const subject = email?.subject.trim() || t`(no subject)`;
            const isLeftOut = planned !== undefined && leftOut?.ids.has(planned.emailId);
            return (
              <li
                key={index}
                aria-setsize={count}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
                data-left-out={isLeftOut || undefined}
              >
                {leftOut && (
                  <label className={shapes.tick}>
                    <input
                      type="checkbox"
                      checked={!isLeftOut}
                      disabled={!planned || (!isLeftOut && leftOut.ids.size >= MAX_CLEANUP_EXCEPTIONS)}
                      onChange={() => planned && leftOut.toggle(planned.emailId)}
                      aria-label={t`Include ${subject}`}
                    />
                  </label>
                )}
                <span className={classes.words}>
                  <bdi className={shapes.oneLine}>{subject}</bdi>
                  <bdi className={`${shapes.oneLine} ${classes.sender}`}>
                    {email ? parseSender(email.from).name : '…'}
                  </bdi>
                </span>
                {email && <Timestamp value={email.date} style="short" className={classes.date} />}
              </li>
            );
          })}
        </ul>
      </section>
      {error && (
        <p role="alert">
          <Trans>The emails could not be loaded.</Trans>{' '}
          <RetryButton onClick={() => void query.fetchNextPage()} />
        </p>
      )}
    </>
  );
};

/** What a plan does in exact numbers, what it leaves out and why, and its emails, from which some may be unticked. */
export const PlanDetails = ({ plan, leftOut }: { plan: CleanupPlan; leftOut: LeftOut | undefined }) => {
  const { counts } = toConsequences(plan.plannedActions);
  // What moves to the trash comes first.
  counts.sort((a, b) => Number(b.action === 'delete') - Number(a.action === 'delete'));
  return (
    <>
      {plan.total > 0 && plan.action === 'accept' && (
        <div className={dialog.actions}>
          <ConsequenceList consequences={toConsequences(plan.plannedActions)} />
        </div>
      )}
      {counts.map(({ action, count }) => (
        <PlanEmails
          key={action}
          plan={plan}
          action={action}
          count={counts.length > 1 ? count : plan.total}
          leftOut={leftOut}
        />
      ))}
      <p className={dialog.note}>
        {plan.total === 0 && `${t`No email matches, or all that match are left out.`} `}
        {plan.total > 0 && `${t`No other email is touched.`} `}
        {describeExclusions(plan.excluded)}{' '}
        {plan.isComplete ? '' : `${t`These are the newest; run it again for the others.`} `}
        {plan.total > 0 && t`You can undo this, also later from the history.`}
      </p>
    </>
  );
};
