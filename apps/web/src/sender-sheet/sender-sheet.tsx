import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type {
  CleanupPlan,
  CreateRuleRequest,
  Sender,
  SenderDetails,
  Unsubscribe,
} from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCheck, IconMailOff, IconTag } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { isNotFound } from '../api/errors.ts';
import { toDistinct, toLoading } from '../api/paged-list.ts';
import { senderQuery, sendersQuery } from '../api/senders-query.ts';
import { describeExclusions } from '../cleanup/plan/cleanup-words.ts';
import { PlanDialog } from '../cleanup/plan/plan-dialog.tsx';
import { usePlannedCleanup } from '../cleanup/use-planned-cleanup.ts';
import { toBounds, type WhichEmails, WhichSelect } from '../cleanup/which-emails.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { ChoiceChip, LabelField } from '../controls/select.tsx';
import { Verbatim } from '../controls/verbatim.tsx';
import { countEmails, formatCount, formatShare } from '../email/counts.ts';
import { EMAIL_ACTIONS } from '../email/email-actions.ts';
import { describeSender, parseSender } from '../email/sender/sender.ts';
import { SenderAvatar } from '../email/sender/sender-avatar.tsx';
import { SenderButton, type SheetSender } from '../email/sender/sender-button.tsx';
import { formatBytes } from '../email/sizes.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { showToast } from '../feedback/toasts.tsx';
import { ProtectedMark } from '../protection/protections.tsx';
import { ShieldButton } from '../protection/shield-button.tsx';
import { useRules } from '../rules/use-rules.ts';
import { type SenderFilters, toSortChoices } from '../senders/list/sender-filters.ts';
import shapes from '../shapes.module.css';
import { Timestamp } from '../time/format-time.tsx';
import { UnsubscribeDialog, UnsubscribePanel } from '../unsubscribe/unsubscribe-dialog.tsx';
import { describeState, takesRequest } from '../unsubscribe/unsubscribe-words.ts';
import { useUnsubscribe } from '../unsubscribe/use-unsubscribe.ts';
import classes from './sender-sheet.module.css';

const ACTIONS = {
  archive: EMAIL_ACTIONS.archive,
  delete: EMAIL_ACTIONS.delete,
  mark_read: EMAIL_ACTIONS.mark_read,
  label: { name: msg`Label`, icon: IconTag },
} as const;
type SheetAction = keyof typeof ACTIONS;

const ALL: WhichEmails = { olderThan: 0, keepNewest: null };
const AGES = [
  { days: 0, name: msg`All emails` },
  { days: 30, name: msg`Older than 30 days` },
  { days: 90, name: msg`Older than 90 days` },
  { days: 365, name: msg`Older than a year` },
];

const describeFuture = ({ olderThan, keepNewest }: WhichEmails): string => {
  if (keepNewest !== null)
    return t`A rule does the same whenever newer email comes. You can end it at any time.`;
  return olderThan > 0
    ? t`A rule does the same to email as it gets that old. You can end it at any time.`
    : t`A rule does the same to every new email. You can end it at any time.`;
};

/** Applies the action to future email, too; can be ticked after a preview. */
const AlsoFuture = (props: {
  name: string;
  which: WhichEmails;
  isWhole: boolean;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) => (
  <label className={classes.also}>
    <input
      type="checkbox"
      checked={props.isOn && props.isWhole}
      disabled={!props.isWhole}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
    <span>
      <Trans>
        Also future email from <Verbatim text={props.name} />
      </Trans>
      <small>
        {props.isWhole
          ? describeFuture(props.which)
          : t`A rule cannot leave out single emails: tick all of them first.`}
      </small>
    </span>
  </label>
);

/** The senders to ask for no more email: one of a mailing list, and one of those in a domain who have the same name. */
const pickAsked = (senders: readonly Sender[], by: 'domain' | 'list'): Sender[] => {
  const newestFirst = senders
    .filter(takesRequest)
    .toSorted((one, other) => other.lastSeen.localeCompare(one.lastSeen));
  const byName = Map.groupBy(newestFirst, ({ from }) => (by === 'list' ? '' : parseSender(from).name));
  return [...byName.values()].flatMap(([newest]) => newest ?? []);
};

const Member = ({ sender }: { sender: Sender }) => {
  const { name, address } = parseSender(sender.from);
  const { unsubscribe } = sender;
  return (
    <li className={classes.member}>
      <SenderButton sender={{ senderId: sender.id, from: sender.from }} name={name}>
        <bdi>{address}</bdi> <ProtectedMark from={sender.from} />
      </SenderButton>
      <span className={classes.note}>
        {countEmails(sender.mails)} · <Trans>{formatShare(1 - sender.unread / sender.mails)} read</Trans> ·{' '}
        <Trans>{formatCount(sender.inInbox)} in the inbox</Trans> · {formatBytes(sender.bytes)} ·{' '}
        <Timestamp value={sender.lastSeen} style="short" />
        {unsubscribe?.state && ` · ${describeState(unsubscribe.state, unsubscribe.error)}`}
        {unsubscribe?.host && (
          <>
            {' '}
            (<bdi>{unsubscribe.host}</bdi>)
          </>
        )}
      </span>
    </li>
  );
};

/** The addresses of a group, and what unsubscribes from them. */
const GroupMembers = (props: {
  id: string;
  group: NonNullable<Sender['group']>;
  onUnsubscribe: (senders: Sender[]) => void;
}) => {
  const [sort, setSort] = useState<SenderFilters['sort']>();
  const query = useInfiniteQuery({
    ...sendersQuery(useApi().client, { sort, group: props.id }),
    placeholderData: keepPreviousData,
  });
  const { error, hasMore, isLoadingMore, isPending, loadMore, retry } = toLoading(query);
  if (isPending) return <Skeleton height={120} radius={12} />;
  const senders = toDistinct(query.data?.pages, ({ id }) => id);
  if (error && senders.length === 0) return <ErrorState error={error} onRetry={retry} />;
  const asked = pickAsked(senders, props.group.by);
  const count = (isCounted: (unsubscribe: Unsubscribe) => boolean) =>
    formatCount(senders.filter(({ unsubscribe }) => unsubscribe && isCounted(unsubscribe)).length);
  const counts = {
    offers: count(({ method }) => method !== null),
    all: formatCount(props.group.addresses),
    before: count(({ state }) => state !== null),
  };
  return (
    <section className={classes.members} aria-label={t`Addresses`}>
      {senders.some(({ unsubscribe }) => unsubscribe) && (
        <p className={classes.note}>
          <Trans>
            Unsubscribing: {counts.offers} of {counts.all} addresses offer it, {counts.before} asked.
          </Trans>
        </p>
      )}
      {asked.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconMailOff size={16} aria-hidden="true" />}
          onClick={() => props.onUnsubscribe(asked)}
        >
          {plural(asked.length, { one: 'Unsubscribe from # sender', other: 'Unsubscribe from # senders' })}
        </Button>
      )}
      <ChoiceChip name={t`Order`} value={sort} choices={toSortChoices()} onChange={setSort} />
      <ul className={shapes.plainList}>
        {senders.map((sender) => (
          <Member key={sender.id} sender={sender} />
        ))}
      </ul>
      {hasMore && (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  );
};

/** All actions on a sender, with the number of emails of each. */
const SenderActions = (props: {
  sender: SenderDetails;
  /** Called when a question opens above the sheet or closes. */
  onAsking?: (isAsking: boolean) => void;
}) => {
  const { sender, onAsking } = props;
  const { id, from, group, takes } = sender;
  const { title: name } = describeSender(sender);
  const cleanup = usePlannedCleanup();
  const { question } = cleanup;
  const unsubscribing = useUnsubscribe();
  const { create } = useRules();
  const navigate = useNavigate();
  const [label, setLabel] = useState<string>();
  const [isAlso, setAlso] = useState(false);
  const [which, setWhich] = useState(ALL);
  const bounds = toBounds(which);
  const isBound = Object.keys(bounds).length > 0;
  /** Of fewer emails it is known only how many they are at most. */
  const count = (most: number) => (isBound ? t`up to ${{ emails: countEmails(most) }}` : countEmails(most));
  const isAsking = question !== null || unsubscribing.question !== null;
  useEffect(() => onAsking?.(isAsking), [isAsking, onAsking]);

  const start = (action: SheetAction | 'accept', count: number, asksFirst = true) => {
    setAlso(false);
    cleanup.start({
      request: {
        action,
        ...(action === 'label' && { label: label?.trim() }),
        selection: { type: 'senders', senders: [id], except: [], ...(action !== 'accept' && bounds) },
      },
      count,
      asksFirst,
    });
  };
  const run = (plan: CleanupPlan) => {
    const { action, label: planned, selection } = plan;
    cleanup.runPlan(plan);
    setLabel(undefined);
    if (!isAlso || selection.except.length > 0 || !Object.hasOwn(ACTIONS, action)) return;
    const rule: CreateRuleRequest = {
      condition: { type: 'sender', sender: id },
      action: action as SheetAction,
      ...(planned !== null && { label: planned }),
      olderThan: 0,
      ...bounds,
      enabled: true,
    };
    create.mutate(rule, {
      onSuccess: () =>
        showToast({
          title: t`Rule created`,
          detail: t`It runs while Mailsweep keeps watching for new email. Everything it does can be undone.`,
          tone: 'done',
          action: { label: t`View rules`, run: () => void navigate({ to: '/rules', search: {} }) },
        }),
    });
  };
  const excluded = describeExclusions(sender.excluded);
  return (
    <div className={classes.sheet}>
      <div className={classes.row}>
        <ShieldButton
          sender={{ id, from: group?.name ?? from }}
          group={group}
          isProtected={sender.protected}
        />
        {group === undefined && (
          <UnsubscribePanel
            sender={{ id, from }}
            known={sender.unsubscribe}
            onAsk={(asked) => unsubscribing.ask({ senders: [asked], archives: 0 })}
          />
        )}
        {takesRequest(sender) && takes.archive > 0 && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconMailOff size={16} aria-hidden="true" />}
            onClick={() =>
              unsubscribing.ask({
                senders: [sender],
                archives: takes.archive,
                onYes: () => start('archive', takes.archive, false),
              })
            }
          >
            {t`Unsubscribe and archive ${formatCount(takes.archive)}`}
          </Button>
        )}
      </div>
      {sender.suggested > 0 && !sender.protected && (
        <Button
          leftSection={<IconCheck size={17} aria-hidden="true" />}
          onClick={() => start('accept', sender.suggested)}
        >
          {plural(sender.suggested, { one: 'Accept # suggestion', other: 'Accept # suggestions' })}
        </Button>
      )}
      <label className={classes.which}>
        <span>{t`Which emails`}</span>
        <WhichSelect
          value={which}
          onChange={setWhich}
          ages={AGES.map(({ days, name: words }) => ({ days, label: i18n._(words) }))}
        />
      </label>
      <div className={classes.actions}>
        {(Object.keys(ACTIONS) as SheetAction[]).map((action) => {
          const { name: words, icon: Icon } = ACTIONS[action];
          return (
            <Button
              key={action}
              variant="default"
              disabled={takes[action] === 0}
              leftSection={<Icon size={17} aria-hidden="true" />}
              {...(action === 'label' && { 'aria-expanded': label !== undefined })}
              onClick={() =>
                action === 'label'
                  ? setLabel(label === undefined ? '' : undefined)
                  : start(action, takes[action])
              }
            >
              {i18n._(words)} <span className={classes.count}>{count(takes[action])}</span>
            </Button>
          );
        })}
      </div>
      {label !== undefined && (
        <form
          className={classes.label}
          onSubmit={(event) => {
            event.preventDefault();
            if (label.trim() !== '') start('label', takes.label);
          }}
        >
          <LabelField value={label} onChange={setLabel} />
          <Button type="submit" disabled={label.trim() === ''}>
            {t`Label ${count(takes.label)}`}
          </Button>
        </form>
      )}
      {sender.protected ? (
        <p className={classes.note}>
          <Trans>
            This sender is protected, so nothing is done to all of its email. You can still act on single
            emails.
          </Trans>
        </p>
      ) : (
        excluded !== '' && <p className={classes.note}>{excluded}</p>
      )}
      {group && (
        <GroupMembers
          id={id}
          group={group}
          onUnsubscribe={(senders) => unsubscribing.ask({ senders, archives: 0 })}
        />
      )}
      {question && (
        <PlanDialog question={question} onClose={cleanup.cancel} onYes={run}>
          {(isWhole) =>
            question.request.action !== 'accept' && (
              <AlsoFuture name={name} which={which} isWhole={isWhole} isOn={isAlso} onChange={setAlso} />
            )
          }
        </PlanDialog>
      )}
      <UnsubscribeDialog unsubscribing={unsubscribing} />
    </div>
  );
};

const Body = ({ sender, onAsking }: { sender: SheetSender; onAsking: (isAsking: boolean) => void }) => {
  const { data, error, isPending, refetch } = useQuery(senderQuery(useApi().client, sender));
  if (isPending) {
    return (
      <div role="status" aria-label={t`Counting the emails of this sender`}>
        <Skeleton height={220} radius={12} />
      </div>
    );
  }
  if (isNotFound(error)) {
    return (
      <p className={classes.note}>
        <Trans>There is no email left from this sender.</Trans>
      </p>
    );
  }
  const read = data ? 1 - data.unread / data.mails : 0;
  return data ? (
    <>
      <p className={classes.note}>
        <Trans>
          {countEmails(data.mails)} ({formatBytes(data.bytes)}), {formatCount(data.inInbox)} in the inbox,{' '}
          {formatCount(data.unread)} unread
        </Trans>{' '}
        <Link to="/inbox" search={{ q: toSearch(data), scope: 'all' }}>
          <Trans>Show these emails</Trans>
        </Link>
      </p>
      <div className={classes.read}>
        <span className={`${shapes.track} ${classes.track}`} aria-hidden="true">
          <span className={`${shapes.bar} ${classes.bar}`} style={{ inlineSize: `${read * 100}%` }} />
        </span>
        <span>
          <Trans>{formatShare(read)} read</Trans>
        </span>
        {data.lastRead && (
          <span>
            <Trans>
              Last read: <Timestamp value={data.lastRead} style="short" />
            </Trans>
          </span>
        )}
      </div>
      <SenderActions sender={data} onAsking={onAsking} />
    </>
  ) : (
    <ErrorState error={error} onRetry={() => void refetch()} />
  );
};

const toSearch = ({ from, group }: SenderDetails): string => {
  const { address, key } = parseSender(from);
  if (group === undefined || group.name === key) return `from:${address}`;
  return group.by === 'list' ? `list:${group.name}` : `from:@${group.name}`;
};

/** A sender and all actions on it, over any screen. */
export const SenderSheet = ({ sender, onClose }: { sender: SheetSender; onClose: () => void }) => {
  // The question above has the keys and the focus.
  const [isAsking, setAsking] = useState(false);
  const { title, detail } = describeSender(sender);
  return (
    <Dialog
      onClose={onClose}
      closeLabel={t`Close the sender`}
      closeOnEscape={!isAsking}
      closeOnClickOutside={!isAsking}
      classNames={{ inner: classes.place, content: classes.panel }}
      title={
        <span className={classes.head}>
          <SenderAvatar from={sender.from} size="lg" />
          <span className={classes.who}>
            <bdi className={classes.name}>{title}</bdi>
            {detail !== '' && <bdi className={`${shapes.oneLine} ${classes.address}`}>{detail}</bdi>}
          </span>
        </span>
      }
    >
      <Body sender={sender} onAsking={setAsking} />
    </Dialog>
  );
};
