import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type CleanupPlan, type CreateCleanupRequest, MAX_CLEANUP_EXCEPTIONS } from '@mailsweep/contracts';
import { Button, Loader } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { pagedQuery, toLoading } from '../../api/paged-list.ts';
import { CLEANUPS_KEY } from '../../api/query-keys.ts';
import { Dialog, DialogButtons } from '../../controls/dialog.tsx';
import { RetryButton } from '../../controls/load-buttons.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { TO_DO } from '../../email/email-words.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { ErrorState } from '../../feedback/error-state.tsx';
import shapes from '../../shapes.module.css';
import { ConsequenceList } from '../../suggestions/consequence-list.tsx';
import { describeToDo, toConsequences } from '../../suggestions/consequences.ts';
import { ActionBadge, toActionName } from '../../suggestions/suggestion-words.tsx';
import { Timestamp } from '../../time/format-time.tsx';
import { askToRun, describeExclusions, describeKept } from './cleanup-words.ts';
import classes from './plan-dialog.module.css';

/** Unit: pixels; the same number is in plan-dialog.module.css. */
const ROW_HEIGHT = 48;
const ROWS_SHOWN = 5;
const OVERSCAN_ROWS = 6;

interface LeftOut {
  ids: ReadonlyMap<string, string>;
  toggle: (id: string, action: string) => void;
}

/** Emails of a plan that share an action, with ticks unless a rule chose them. Loads pages as they come into sight. */
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
                      onChange={() => planned && leftOut.toggle(planned.emailId, action)}
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

/** Exact numbers of a plan, what it leaves out and why, and its emails, some of which may be unticked. */
export const PlanDetails = ({ plan, leftOut }: { plan: CleanupPlan; leftOut: LeftOut | undefined }) => {
  const { counts } = toConsequences(plan.plannedActions);
  const kept = describeKept(plan.selection);
  // Moves to the trash come first.
  counts.sort((a, b) => Number(b.action === 'delete') - Number(a.action === 'delete'));
  return (
    <>
      {plan.total > 0 && plan.action === 'accept' && (
        <div className={classes.actions}>
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
      <p className={classes.note}>
        {plan.total === 0 && `${t`No email matches, or all that match are left out.`} `}
        {plan.total > 0 && `${t`No other email is touched.`} `}
        {kept !== undefined && `${t`Planned: ${kept}.`} `}
        {describeExclusions(plan.excluded)}{' '}
        {plan.isComplete ? '' : `${t`These are the newest; run it again for the others.`} `}
        {plan.total > 0 && t`You can undo this, also later from the history.`}
      </p>
    </>
  );
};

/** A cleanup to confirm; `plan` if the server has already planned it. */
export interface CleanupQuestion {
  request: CreateCleanupRequest;
  plan?: CleanupPlan;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** What the plan does without the unticked emails: `Archive 68, trash 24`. */
const describeYes = (plan: CleanupPlan, chosen: number, unticked: ReadonlyMap<string, string>): string => {
  const counts = { ...plan.plannedActions };
  for (const action of unticked.values()) counts[action] = (counts[action] ?? 0) - 1;
  return (plan.action === 'accept' && describeToDo(counts)) || TO_DO[plan.action](formatCount(chosen));
};

/**
 * Plans a cleanup, shows its exact numbers and emails, and asks for confirmation. Emails can be unticked.
 *
 * @param props.question - the same object for the same question
 */
export const PlanDialog = (props: {
  question: CleanupQuestion;
  onClose: () => void;
  onYes: (plan: CleanupPlan) => void;
  /** Chooses another question. */
  choice?: ReactNode;
  /** Further choices below the plan. @param isWhole - whether all its emails are ticked */
  children?: (isWhole: boolean) => ReactNode;
}) => {
  const { question, onClose, onYes } = props;
  const { client } = useApi();
  const planning = useMutation({
    mutationFn: (request: CreateCleanupRequest) => client.createCleanup({ body: request }),
  });
  const { mutate, reset, error, isPending } = planning;
  const [unticked, setUnticked] = useState(NONE);
  useEffect(() => {
    reset();
    setUnticked(NONE);
    if (!question.plan) mutate(question.request);
  }, [question, mutate, reset]);

  const plan = isPending ? undefined : (planning.data ?? question.plan);
  const total = plan?.total ?? 0;
  const chosen = Math.max(0, total - unticked.size);
  const trashed = plan?.plannedActions.delete ?? 0;
  const leftOut = {
    ids: unticked,
    toggle: (id: string, action: string) => {
      const next = new Map(unticked);
      if (!next.delete(id)) next.set(id, action);
      setUnticked(next);
    },
  };
  /** Unticking makes another plan, which runs at once. */
  const run = (shown: CleanupPlan) => {
    if (unticked.size === 0) return onYes(shown);
    const { selection } = shown;
    const except = [...selection.except, ...unticked.keys()];
    const { action, label } = shown;
    const request = { action, ...(label !== null && { label }), selection: { ...selection, except } };
    mutate(request, {
      onSuccess: (next) => {
        setUnticked(NONE);
        if (next.total > 0 && next.total <= chosen) onYes(next);
      },
    });
  };
  return (
    <Dialog
      onClose={onClose}
      title={plan ? askToRun(plan.action, chosen) : t`Looking for every matching email…`}
    >
      {props.choice && <div className={classes.actions}>{props.choice}</div>}
      {error && <ErrorState error={error} onRetry={() => mutate(question.request)} />}
      {!plan && !error && (
        <p className={classes.note} role="status">
          <Loader size="xs" aria-hidden="true" /> <Trans>Nothing is changed yet.</Trans>
        </p>
      )}
      {plan && <PlanDetails plan={plan} leftOut={plan.ruleId === null ? leftOut : undefined} />}
      {plan && total > 0 && props.children?.(unticked.size === 0)}
      <DialogButtons onCancel={onClose} hasFocus>
        {plan && total > 0 && (
          <Button {...(trashed > 0 && { color: 'red.8' })} disabled={chosen === 0} onClick={() => run(plan)}>
            {describeYes(plan, chosen, unticked)}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
};
