import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SenderSort } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconFilterOff, IconMailOff, IconRefresh } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { CleanupBanner } from '../cleanup/cleanup-banner.tsx';
import { SelectButton } from '../controls/list/selection-toolbar.tsx';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { formatCount } from '../email/counts.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { lazyPart } from '../parts/lazy-part.ts';
import { PartBoundary } from '../parts/part-boundary.tsx';
import { useRuleOffer } from '../rules/offer/rule-offer.ts';
import { ScanCard } from '../scan/scan-card.tsx';
import { type ScanStage, toScanStage } from '../scan/scan-stage.ts';
import { type ScanControl, useScan } from '../scan/use-scan.ts';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { Timestamp } from '../time/timestamp.tsx';
import { SenderSelectionBar } from './actions/sender-selection-bar.tsx';
import { type SenderTriage, useSenderTriage } from './actions/use-sender-triage.ts';
import { SenderFilterBar } from './list/sender-filter-bar.tsx';
import type { SenderFilters } from './list/sender-filters.ts';
import { SenderGrid } from './list/sender-grid.tsx';
import { SenderFilterBarSkeleton, SenderGridSkeleton } from './list/sender-grid-skeleton.tsx';
import { type SenderListState, useSenderList } from './list/use-sender-list.ts';
import classes from './senders-screen.module.css';
import { useSenderShortcuts } from './use-sender-shortcuts.ts';

const UnsubscribeDialog = lazyPart(
  async () => (await import('../unsubscribe/unsubscribe-dialog.tsx')).UnsubscribeDialog,
);
const PlanDialog = lazyPart(async () => (await import('../cleanup/plan/plan-dialog.tsx')).PlanDialog);

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
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconRefresh size={16} aria-hidden="true" />}
            loading={scan.isStarting}
            onClick={scan.start}
          >
            <Trans>Scan again</Trans>
          </Button>
        </>
      )}
      {list.senders.length > 0 && <SelectButton triage={triage} />}
    </ScreenHeader>
  );
};

/** The list in whatever state it is: failed, empty, or full of senders. */
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
  // In every other state the card about the scan has the screen.
  return stage === 'done' || stage === 'unclassified' ? (
    <EmptyState icon={<IconMailOff />} title={t`Nobody has written to you`}>
      <Trans>The scan found no email, apart from spam, trash and what you wrote yourself.</Trans>
    </EmptyState>
  ) : null;
};

/** Who writes how much, over the whole mailbox, and what to do about all of it. */
export const SendersScreen = () => {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: Partial<SenderFilters>) =>
    void navigate({ search: (current) => ({ ...current, ...next }), replace: true, state: true });

  const scan = useScan();
  const list = useSenderList(filters, scan.isInProgress);
  const triage = useSenderTriage(list.senders);
  useSenderShortcuts(triage, scan);
  const ruleOffer = useRuleOffer();
  const hasAsked = useOnceTrue(triage.question !== null);
  const hasUnsubscribed = useOnceTrue(triage.unsubscribing.question !== null);
  const stage = scan.scan !== undefined && list.newest ? toScanStage(scan.scan, list.newest) : undefined;
  const isEmpty = list.senders.length === 0 && !list.isFinding;
  // What is above the list depends on both responses; shown earlier, it would move the list.
  const isKnown = !list.isPending && !scan.isPending;
  return (
    <div className={shapes.listScreen}>
      <section className={`${shapes.listSide} ${classes.listSide}`} aria-label={t`Senders`}>
        <Header list={list} triage={triage} scan={scan} stage={stage} />
        {isKnown ? (
          <>
            {stage && <ScanCard stage={stage} scan={scan} isAlone={isEmpty} />}
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
      <PartBoundary>
        {hasAsked && (
          <PlanDialog question={triage.question} onClose={triage.cancelQuestion} onYes={triage.runPlan} />
        )}
        {hasUnsubscribed && <UnsubscribeDialog unsubscribing={triage.unsubscribing} />}
      </PartBoundary>
    </div>
  );
};
