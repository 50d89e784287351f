import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowLeft, IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId } from 'react';
import { useVirtualRows } from '../../controls/list/use-virtual-rows.ts';
import { RetryButton } from '../../controls/load-buttons.tsx';
import { LabelField, Select } from '../../controls/select.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { TO_DO, toActionChoices } from '../../email/email-words.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderButton } from '../../email/sender/sender-button.tsx';
import { Skeleton } from '../../feedback/skeleton.tsx';
import { lazyPart } from '../../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../../lazy-parts/part-boundary.tsx';
import shapes from '../../shapes.module.css';
import { isReady, type OtherAction } from '../../suggestions/confirming/decisions.ts';
import { ConsequenceList } from '../../suggestions/consequence-list.tsx';
import { describeToDo, isOnlyAdvice, toConsequences } from '../../suggestions/consequences.ts';
import { type SuggestedEmail, toAcceptance } from '../../suggestions/suggested-email.ts';
import { ActionBadge, Confidence, describeReason } from '../../suggestions/suggestion-words.tsx';
import { Timestamp } from '../../time/format-time.tsx';
import type { Review } from '../decisions/use-review.ts';
import type { QueueGroup } from '../queue/queue-group.ts';
import classes from './group-detail.module.css';
import listClasses from './group-emails.module.css';
import type { GroupEmails as EmailList, Preview } from './use-group-emails.ts';

/** One email of a group: its suggestion, why, how sure, and decisions on it alone. */
const EmailLine = (props: {
  email: SuggestedEmail;
  isChosen: boolean;
  isOpen: boolean;
  showSender: boolean;
  review: Review;
  onOpen: () => void;
}) => {
  const { email, review } = props;
  const subjectId = useId();
  const subject = email.subject.trim() || t`(no subject)`;
  const reason = describeReason(email.suggestion.classification);
  const acceptance = toAcceptance(email.suggestion);
  const decisions = [
    { action: 'accept', Icon: IconCheck, label: t`Accept for ${subject}`, title: t`Accept this one` },
    { action: 'reject', Icon: IconX, label: t`Reject for ${subject}`, title: t`Reject this one` },
  ] as const;
  return (
    <div
      className={listClasses.email}
      data-left-out={!props.isChosen || undefined}
      data-open={props.isOpen || undefined}
    >
      {/* Covers the row; the other controls lie above. */}
      <button
        type="button"
        className={listClasses.open}
        data-row-id={email.id}
        aria-labelledby={subjectId}
        aria-expanded={props.isOpen}
        onClick={props.onOpen}
      />
      <label className={`${shapes.tick} ${listClasses.above}`}>
        <input
          type="checkbox"
          checked={props.isChosen}
          onChange={() => review.toggleEmail(email)}
          aria-label={t`Include ${subject}`}
        />
      </label>
      <div className={listClasses.words}>
        <div className={listClasses.first}>
          <bdi id={subjectId} className={`${shapes.oneLine} ${listClasses.subject}`}>
            {subject}
          </bdi>
          <Timestamp value={email.date} sent={email.sentAt} style="short" className={listClasses.date} />
        </div>
        <div className={listClasses.second}>
          <Confidence least={acceptance} most={acceptance} />
          {props.showSender && (
            <bdi className={`${shapes.oneLine} ${listClasses.sender}`}>{parseSender(email.from).name}</bdi>
          )}
          <span className={shapes.oneLine} title={reason.why}>
            {reason.name}
          </span>
        </div>
      </div>
      <ActionBadge action={email.suggestion.action} />
      <span className={`${listClasses.decisions} ${listClasses.above}`}>
        {decisions.map(({ action, Icon, label, title }) => (
          <button
            key={action}
            type="button"
            className={`${shapes.iconButton} ${listClasses.decision}`}
            onClick={() => review.decideOne(action, email)}
            aria-label={label}
            title={title}
          >
            <Icon size={17} />
          </button>
        ))}
      </span>
    </div>
  );
};

/** Unit: pixels; the same number is in group-emails.module.css. */
const ROW_HEIGHT = { wide: 64, narrow: 64 };
/** Loads the next page once fewer emails are left below the screen. */
const PREFETCH_ROWS = 20;
const GREY_ROWS = [0, 1, 2, 3];

const ListEnd = ({ list }: { list: EmailList }) => {
  if (list.isPending) {
    return GREY_ROWS.map((row) => (
      <div key={row} className={listClasses.grey}>
        <Skeleton height={13} width={`${45 + ((row * 17) % 30)}%`} />
      </div>
    ));
  }
  if (!list.error) return null;
  return (
    <p className={listClasses.end} role="alert">
      {list.emails.length === 0 ? t`The emails could not be loaded.` : t`More emails could not be loaded.`}{' '}
      <RetryButton onClick={list.retry} />
    </p>
  );
};

/** The head of a group, and its emails below. */
const GroupEmails = (props: {
  list: EmailList;
  review: Review;
  preview: Preview;
  showSender: boolean;
  className: string | undefined;
  children: ReactNode;
}) => {
  const { list, review, preview } = props;
  const { emails } = list;
  const isAll = !emails.some(({ id }) => review.unticked.has(id));
  const { ref: head, height } = useElementSize<HTMLDivElement>();
  const { scroll, lastRow, totalHeight, inSight } = useVirtualRows({
    rows: emails,
    activeId: preview.email?.id ?? null,
    rowHeight: ROW_HEIGHT,
    headHeight: { wide: height, narrow: height },
    isHeadScrolled: true,
  });
  useEffect(() => {
    if (list.hasMore && !list.error && lastRow >= emails.length - PREFETCH_ROWS) list.loadMore();
  });
  return (
    <div ref={scroll} className={props.className}>
      <div ref={head}>
        <div className={listClasses.head}>{props.children}</div>
        <label className={listClasses.all}>
          <span className={shapes.tick}>
            <input
              type="checkbox"
              checked={isAll}
              // Only emails that were seen may be unticked, so all must be loaded first.
              disabled={list.isPending || (isAll && list.hasMore)}
              onChange={() => review.tickAll(emails, !isAll)}
            />
          </span>
          <Trans>Select all</Trans>
        </label>
      </div>
      <ul
        className={`${shapes.virtualList} ${listClasses.emails}`}
        aria-label={t`Emails of this group`}
        style={{ height: totalHeight }}
      >
        {inSight.map(({ index, top }) => {
          const email = emails[index];
          return (
            email && (
              <li
                key={email.id}
                aria-setsize={list.hasMore ? -1 : emails.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${top}px)` }}
              >
                <EmailLine
                  email={email}
                  isChosen={!review.unticked.has(email.id)}
                  isOpen={email.id === preview.email?.id}
                  showSender={props.showSender}
                  review={review}
                  onOpen={() => (email.id === preview.email?.id ? preview.close() : preview.open(email.id))}
                />
              </li>
            )
          );
        })}
      </ul>
      <ListEnd list={list} />
    </div>
  );
};

export const ActionChoice = (props: {
  other: OtherAction | undefined;
  onChange: (other: OtherAction | undefined) => void;
}) => {
  const { other, onChange } = props;
  return (
    <div className={classes.choice}>
      <Select
        aria-label={t`What to do`}
        value={other?.action ?? ''}
        onChange={(action) => onChange(action === '' ? undefined : { action, label: '' })}
        choices={[{ label: t`As suggested`, value: '' }, ...toActionChoices()]}
      />
      {other?.action === 'label' && (
        <LabelField value={other.label} onChange={(label) => onChange({ ...other, label })} />
      )}
    </div>
  );
};

export const describeDecision = (
  other: OtherAction | undefined,
  actions: Readonly<Record<string, number>>,
): string => {
  const { total } = toConsequences(actions);
  return other
    ? TO_DO[other.action](formatCount(total))
    : describeToDo(actions) || TO_DO.accept(formatCount(total));
};

const GroupUnsubscribe = lazyPart(async () => (await import('./group-unsubscribe.tsx')).GroupUnsubscribe);

/** One group: what accepting does, the two decisions, and its emails. */
export const GroupDetail = (props: {
  group: QueueGroup;
  list: EmailList;
  review: Review;
  preview: Preview;
  onBack: () => void;
}) => {
  const { group, review, list } = props;
  const { chosenCount } = review;
  const other = review.otherOf(group.key);
  const decision = describeDecision(other, review.chosenActions);
  const isAdvice = !other && isOnlyAdvice(review.chosenActions);
  const isUndecidable = chosenCount === 0 || isAdvice || !isReady(other);
  const isAll = chosenCount === group.emails;
  const chosen = isAll
    ? countEmails(chosenCount)
    : t`${{ chosen: formatCount(chosenCount) }} of ${{ emails: countEmails(group.emails) }}`;
  return (
    <section className={classes.pane} aria-label={t`Suggestions: ${group.title}`}>
      <GroupEmails
        list={list}
        review={review}
        preview={props.preview}
        showSender={group.from === null}
        className={classes.detail}
      >
        <button type="button" className={classes.back} onClick={props.onBack}>
          <IconArrowLeft size={18} aria-hidden="true" /> <Trans>All groups</Trans>
        </button>
        <header className={classes.title}>
          <h2 className={classes.name}>
            <bdi>{group.title}</bdi>
          </h2>
          <bdi className={classes.note}>{group.note}</bdi>
          {group.from !== null && (
            <div className={classes.protection}>
              <SenderButton sender={{ senderId: group.key, from: group.from }} name={group.title}>
                {t`More for this sender…`}
              </SenderButton>
              <PartBoundary>
                <GroupUnsubscribe
                  sender={{ id: group.key, from: group.from }}
                  decision={decision}
                  isDisabled={isUndecidable}
                  onYes={review.acceptGroup}
                />
              </PartBoundary>
            </div>
          )}
        </header>
        <div className={`${shapes.card} ${classes.plan}`}>
          <h3 className={classes.planTitle}>
            <Trans>What happens to {chosen}</Trans>
          </h3>
          <ActionChoice other={other} onChange={(next) => review.setOther(group.key, next)} />
          <ConsequenceList
            consequences={
              other
                ? toConsequences({ [other.action]: chosenCount })
                : toConsequences(review.chosenActions, group.labels)
            }
          />
          <div className={classes.decisions}>
            {!isAdvice && (
              <Button
                className={shapes.longButton}
                leftSection={<IconCheck size={17} aria-hidden="true" />}
                disabled={isUndecidable}
                onClick={review.acceptGroup}
              >
                {decision}
                <kbd className={classes.key}>Y</kbd>
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconX size={17} aria-hidden="true" />}
              disabled={chosenCount === 0}
              onClick={review.rejectGroup}
            >
              <Trans>
                Reject {formatCount(chosenCount)}
                <kbd className={classes.key}>N</kbd>
              </Trans>
            </Button>
          </div>
        </div>
      </GroupEmails>
    </section>
  );
};
