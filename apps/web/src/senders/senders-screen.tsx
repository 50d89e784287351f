import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  MAX_CLEANUP_SENDERS,
  MAX_SEARCH_LENGTH,
  type Sender,
  type SenderSort,
  type UnsubscribeCounts,
} from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconCheck, IconFilterOff, IconMailOff, IconRefresh, IconSearch } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { AskedPlan } from '../cleanup/asked-plan.tsx';
import { CleanupBanner } from '../cleanup/cleanup-banner.tsx';
import { listShortcuts } from '../controls/list/selection.ts';
import { KeyCap, SelectButton, SelectionToolbar } from '../controls/list/selection-toolbar.tsx';
import { type Choice, ChoiceChip } from '../controls/select.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { EmailActionButtons } from '../email/email-action-buttons.tsx';
import { TO_DO } from '../email/email-words.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { showToast, toFailure } from '../feedback/toasts.tsx';
import barClasses from '../inbox/filters/filter-bar.module.css';
import { inGroup, useShortcuts } from '../keyboard/keyboard-context.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import { useRuleOffer } from '../rules/offer/rule-offer.ts';
import { ScanCard } from '../scan/scan-card.tsx';
import { type ScanStage, toScanStage } from '../scan/scan-stage.ts';
import { StartScanButton } from '../scan/start-scan-button.tsx';
import { type ScanControl, useScan } from '../scan/use-scan.ts';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { describeToDo, sumActions } from '../suggestions/consequences.ts';
import { Timestamp } from '../time/format-time.tsx';
import { takesRequest } from '../unsubscribe/unsubscribe-words.ts';
import { type SenderTriage, useSenderTriage } from './actions/use-sender-triage.ts';
import senderFilterBarClasses from './list/sender-filter-bar.module.css';
import { type SenderFilters, toSortChoices } from './list/sender-filters.ts';
import { SenderFilterBarSkeleton, SenderGrid, SenderGridSkeleton } from './list/sender-grid.tsx';
import { type SenderListState, useSenderList } from './list/use-sender-list.ts';
import classes from './senders-screen.module.css';

const SenderSelectionBar = (props: {
  triage: SenderTriage;
  list: { senders: readonly Sender[]; hasMore: boolean; loadAll: () => Promise<Sender[]> };
}) => {
  const { triage, list } = props;
  const { selectedSenders } = triage;
  // Protected senders' email is left alone.
  const open = selectedSenders.filter((sender) => !sender.protected);
  const emails = open.reduce((sum, sender) => sum + sender.mails, 0);
  const inInbox = open.reduce((sum, sender) => sum + sender.inInbox, 0);
  const suggested = open.reduce((sum, sender) => sum + sender.suggested, 0);
  const toDo = describeToDo(sumActions(open.map(({ suggestedActions = {} }) => suggestedActions)));
  const isEverySelected =
    selectedSenders.length === MAX_CLEANUP_SENDERS ||
    (selectedSenders.length === list.senders.length && !list.hasMore);
  const selectAll = () => void list.loadAll().then(triage.selectAll, (error) => showToast(toFailure(error)));
  return (
    <SelectionToolbar
      label={t`Selected senders`}
      count={plural(selectedSenders.length, { one: '# sender', other: '# senders' })}
      detail={
        <>
          {' '}
          <Trans>with {countEmails(emails)}</Trans>
        </>
      }
      onSelectAll={isEverySelected ? undefined : selectAll}
      onClear={triage.clear}
    >
      {suggested > 0 && (
        <Button
          variant="light"
          leftSection={<IconCheck size={17} aria-hidden="true" />}
          onClick={() => triage.request('accept', selectedSenders)}
        >
          {toDo || TO_DO.accept(formatCount(suggested))} <KeyCap>Y</KeyCap>
        </Button>
      )}
      {selectedSenders.some(takesRequest) && (
        <Button
          variant="subtle"
          leftSection={<IconMailOff size={17} aria-hidden="true" />}
          onClick={() => triage.askToUnsubscribeAndArchive(selectedSenders)}
        >
          {inInbox > 0 ? t`Unsubscribe and archive ${formatCount(inInbox)}` : t`Unsubscribe`}
        </Button>
      )}
      <EmailActionButtons
        readChange={triage.readChange}
        isDisabled={selectedSenders.length === 0}
        onRequest={(action) => triage.request(action, selectedSenders)}
      />
    </SelectionToolbar>
  );
};

const useSenderShortcuts = (triage: SenderTriage, scan: ScanControl): void => {
  const openActive = () => {
    const { activeId } = triage.selection;
    if (activeId !== null) triage.openSender(activeId);
  };
  const { paging, selecting } = listShortcuts(triage);
  useShortcuts([
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next sender`, () => triage.move(1)],
      [['k', 'ArrowUp'], t`Sender before`, () => triage.move(-1)],
      [['Enter', 'o'], t`Open the sender`, openActive],
    ]),
    ...paging,
    ...selecting,
    ...inGroup('Select', [[['Escape'], t`Clear the selection`, triage.clear]]),
    ...inGroup('Act', [
      [['e'], t`Archive all`, () => triage.requestForTargets('archive')],
      [['#', 'Delete'], t`Trash all`, () => triage.requestForTargets('delete')],
      [['u'], t`Mark all read or unread`, () => triage.requestForTargets(triage.readChange)],
      [['y'], t`Accept suggestions`, () => triage.requestForTargets('accept')],
      [['shift+s'], t`Scan my mailbox`, scan.start],
    ]),
  ]);
};

const toGroupings = (): readonly Choice<SenderFilters['by'] & string>[] => [
  { label: t`By address`, value: undefined },
  { label: t`By domain`, value: 'domain' },
  { label: t`By mailing list`, value: 'list' },
];

/** Which senders to show, and what is one of them; on phones, which have no column names, also in which order. */
const SenderFilterBar = (props: {
  filters: SenderFilters;
  onChange: (change: Partial<SenderFilters>) => void;
}) => {
  const { filters, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: ['/'], label: t`Find a sender`, group: 'Move', run: () => input.current?.select() }]);
  return (
    <search className={`${shapes.filterBar} ${barClasses.bar}`}>
      <div className={barClasses.find}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          value={filters.find ?? ''}
          maxLength={MAX_SEARCH_LENGTH}
          onChange={(event) => onChange({ find: event.currentTarget.value || undefined })}
          onKeyDown={(event) => {
            if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
          }}
          placeholder={t`Find name or address`}
          aria-label={t`Find a sender by name or address`}
        />
        <span className={barClasses.slash} aria-hidden="true">
          /
        </span>
      </div>
      <ChoiceChip
        name={t`What is one sender`}
        value={filters.by}
        choices={toGroupings()}
        onChange={(by) => onChange({ by })}
      />
      <span className={senderFilterBarClasses.order}>
        <ChoiceChip
          name={t`Order`}
          value={filters.sort}
          choices={toSortChoices()}
          onChange={(sort) => onChange({ sort })}
        />
      </span>
    </search>
  );
};

const UnsubscribeDialog = lazyPart(
  async () => (await import('../unsubscribe/unsubscribe-dialog.tsx')).UnsubscribeDialog,
);
const RuleOfferCard = lazyPart(
  async () => (await import('../rules/offer/rule-offer-card.tsx')).RuleOfferCard,
);

const route = getRouteApi('/app/senders');

const Header = (props: {
  list: SenderListState;
  triage: SenderTriage;
  scan: ScanControl;
  stage?: ScanStage | undefined;
}) => {
  const { list, triage, scan, stage } = props;
  const { total = 0, scannedAt } = list.newest ?? {};
  return (
    <ScreenHeader title={t`Senders`} note={total > 0 ? formatCount(total) : ' '}>
      {stage === 'done' && scannedAt && (
        <>
          <span className={classes.scannedAt}>
            <span className={classes.scanned}>
              <Trans>Scanned</Trans>
            </span>{' '}
            <Timestamp value={scannedAt} style="ago" />
          </span>
          <StartScanButton
            scan={scan}
            variant="subtle"
            size="compact-sm"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
          >
            <Trans>Scan again</Trans>
          </StartScanButton>
        </>
      )}
      {list.senders.length > 0 && <SelectButton triage={triage} />}
    </ScreenHeader>
  );
};

const Body = (props: {
  list: SenderListState;
  triage: SenderTriage;
  filters: SenderFilters;
  stage: ScanStage | undefined;
  onChange: (change: Partial<SenderFilters>) => void;
}) => {
  const { list, stage, filters, onChange } = props;
  if (list.error && list.senders.length === 0) return <ErrorState error={list.error} onRetry={list.retry} />;
  if (list.senders.length > 0) {
    return (
      <SenderGrid
        list={list}
        triage={props.triage}
        sort={filters.sort ?? 'mails'}
        onSort={(sort: SenderSort) => onChange({ sort: sort === 'mails' ? undefined : sort })}
      />
    );
  }
  if (list.isFinding) {
    return (
      <EmptyState
        icon={<IconFilterOff />}
        title={t`Nobody of that name`}
        actions={
          <Button onClick={() => onChange({ find: undefined })}>
            <Trans>Show everyone</Trans>
          </Button>
        }
      >
        <Trans>No sender has these words in name or address.</Trans>
      </EmptyState>
    );
  }
  // In other states the scan's card fills the screen.
  return stage === 'done' || stage === 'unclassified' ? (
    <EmptyState icon={<IconMailOff />} title={t`Nobody has written to you`}>
      <Trans>The scan found no email, apart from spam, trash and what you wrote yourself.</Trans>
    </EmptyState>
  ) : null;
};

const StillSending = lazyPart(async () => (await import('./still-sending.tsx')).StillSending);

/** How many requests to unsubscribe worked, of those whose senders had their ten days. */
const UnsubscribedNote = ({ counts }: { counts: UnsubscribeCounts }) => {
  const all = counts.stopped + counts.stillSending;
  if (all === 0) return null;
  const stopped = formatCount(counts.stopped);
  return (
    <p className={classes.note}>
      {plural(all, {
        one: `${{ stopped }} of # sender that you unsubscribed from stopped sending.`,
        other: `${{ stopped }} of # senders that you unsubscribed from stopped sending.`,
      })}{' '}
      {counts.stillSending > 0 && (
        <Link to="/senders" search={{ unsubscribe: 'still_sending' }}>
          <Trans>Show who still sends</Trans>
        </Link>
      )}
    </p>
  );
};

export const SendersScreen = (): ReactNode => {
  const { unsubscribe } = route.useSearch();
  return unsubscribe === undefined ? (
    <AllSenders />
  ) : (
    <PartBoundary>
      <StillSending />
    </PartBoundary>
  );
};

const AllSenders = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<SenderFilters>) =>
    void navigate({ search: (current) => ({ ...current, ...next }), replace: true, state: true });

  const scan = useScan();
  const list = useSenderList(filters, scan.isInProgress);
  const triage = useSenderTriage(list.senders);
  useSenderShortcuts(triage, scan);
  const ruleOffer = useRuleOffer();
  const stage = scan.scan !== undefined && list.newest ? toScanStage(scan.scan, list.newest) : undefined;
  const isEmpty = list.senders.length === 0 && !list.isFinding;
  // What is above the list depends on both responses, and would move it.
  const isKnown = !list.isPending && !scan.isPending;
  return (
    <div className={shapes.listScreen}>
      <section className={`${shapes.listSide} ${classes.listSide}`} aria-label={t`Senders`}>
        <Header list={list} triage={triage} scan={scan} stage={stage} />
        {isKnown ? (
          <>
            {stage && <ScanCard stage={stage} scan={scan} isAlone={isEmpty} />}
            {list.newest?.unsubscribed && <UnsubscribedNote counts={list.newest.unsubscribed} />}
            {list.senders.some(({ read }) => read !== undefined) && (
              <p className={classes.note}>
                <Trans>
                  The largest senders are counted in full, without reading; of the others, what was read so
                  far.
                </Trans>
              </p>
            )}
            {!(isEmpty && stage) && <SenderFilterBar filters={filters} onChange={change} />}
            <Body list={list} triage={triage} filters={filters} stage={stage} onChange={change} />
          </>
        ) : (
          <>
            <SenderFilterBarSkeleton />
            <SenderGridSkeleton />
          </>
        )}
        <CleanupBanner />
        {ruleOffer && (
          <PartBoundary>
            <RuleOfferCard key={ruleOffer.key} offer={ruleOffer} />
          </PartBoundary>
        )}
        {(triage.selectedSenders.length > 0 || triage.selection.isSelecting) && (
          <SenderSelectionBar triage={triage} list={list} />
        )}
      </section>
      <AskedPlan cleanup={triage.cleanup} />
      <PartBoundary>
        {triage.unsubscribing.question && <UnsubscribeDialog unsubscribing={triage.unsubscribing} />}
      </PartBoundary>
    </div>
  );
};
