import { t } from '@lingui/core/macro';
import type { InboxAction } from '@mailsweep/contracts';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { SelectButton } from '../controls/list/selection-toolbar.tsx';
import { RunningCount } from '../controls/running-count.tsx';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { useOpenAndActive } from '../controls/use-open-and-active.ts';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { lazyPart } from '../parts/lazy-part.ts';
import { PartBoundary } from '../parts/part-boundary.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { SelectionBar } from './actions/selection-bar.tsx';
import { type Triage, useTriage } from './actions/use-triage.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { type InboxFilters, toSearch, toServerFilters } from './filters/inbox-filters.ts';
import { countOthersInInbox } from './list/conversations.ts';
import { InboxBody } from './list/inbox-body.tsx';
import { type EmailListState, useEmailList } from './list/use-email-list.ts';
import { useInboxShortcuts } from './use-inbox-shortcuts.ts';

const EmailDetails = lazyPart(async () => (await import('./details/email-details.tsx')).EmailDetails);
const DeleteConfirmation = lazyPart(
  async () => (await import('./actions/delete-confirmation.tsx')).DeleteConfirmation,
);

const CleanupDialog = lazyPart(async () => (await import('../cleanup/cleanup-dialog.tsx')).CleanupDialog);

const route = getRouteApi('/app/inbox');

/**
 * Lets the selection of every loaded email stand for every email that matches the filters. Actions on it are planned by
 * the server first. Any other change of the selection ends it.
 */
const useMatchingSelection = (input: { list: EmailListState; triage: Triage; filters: InboxFilters }) => {
  const { list, triage, filters } = input;
  /** The selection that stands for every matching email, and the filters that it was made under. */
  const [standIn, setStandIn] = useState<{ ids: ReadonlySet<string>; under: string } | null>(null);
  const [action, setAction] = useState<InboxAction | null>(null);
  const { selectedIds } = triage.selection;
  const isEveryLoaded = list.emails.length > 0 && triage.selectedEmails.length === list.emails.length;
  // What is looked for among the loaded emails, the server can't plan.
  const canSelect = isEveryLoaded && list.hasMore && !filters.find;
  const under = JSON.stringify(filters);
  const isSelected = standIn?.ids === selectedIds && standIn.under === under && selectedIds.size > 0;
  const count = list.total?.isExact ? formatCount(list.total.count) : t`matching emails`;
  return {
    action,
    close: () => setAction(null),
    all:
      canSelect || isSelected
        ? { isSelected, count, select: () => setStandIn({ ids: selectedIds, under }) }
        : undefined,
    triage: isSelected ? { ...triage, requestForTargets: setAction, requestForSelected: setAction } : triage,
  };
};

/** The mailbox as a list to triage: filter, select, act, undo. */
export const InboxScreen = () => {
  const { email: openId, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const setFilters = (change: Partial<InboxFilters>) =>
    // The state keeps the dialogs that are open over the screen.
    navigate({ search: (current) => ({ ...current, ...change }), replace: true, state: true });
  // The way back leads from what was found to the list, without the words that were typed.
  const search = async (words: string) => {
    await setFilters({ find: undefined });
    await navigate({ search: (current) => ({ ...current, ...toSearch(words), email: undefined }) });
  };
  const list = useEmailList(filters);
  const triage = useTriage(list.emails);
  const { activeId } = triage.selection;
  // The way back leads from an email to the list, not through every email looked at.
  const setOpenId = (email: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, email }), replace: openId !== undefined });
  useOpenAndActive({ openId, setOpenId, activeId, activate: triage.activate });
  const isDetailsOpen = openId !== undefined;
  const matching = useMatchingSelection({ list, triage, filters });
  useInboxShortcuts({ triage: matching.triage, isDetailsOpen, setOpenId });

  const active = useMemo(() => list.emails.find((email) => email.id === activeId), [list.emails, activeId]);
  const hasAsked = useOnceTrue(triage.toConfirm.length > 0);
  const hasPlanned = useOnceTrue(matching.action !== null);
  const selectedCount = triage.selectedEmails.length;
  const senders = new Set(triage.selectedEmails.map((email) => parseSender(email.from).key)).size;

  return (
    <div className={shapes.listScreen}>
      <section className={shapes.listSide} aria-label={t`Email list`}>
        <ScreenHeader
          title={filters.scope === 'all' ? t`All mail` : t`Inbox`}
          note={
            list.total ? (
              <>
                {/* It runs within one list, not from one list to another. */}
                <RunningCount key={JSON.stringify(toServerFilters(filters))} count={list.total.count} />
                {!list.total.isExact && '+'}
              </>
            ) : (
              ' '
            )
          }
        >
          {list.emails.length > 0 && <SelectButton triage={triage} />}
        </ScreenHeader>
        <FilterBar filters={filters} onChange={setFilters} onSearch={search} />
        <InboxBody
          list={list}
          triage={triage}
          filters={filters}
          onChange={setFilters}
          onSearch={search}
          onOpen={setOpenId}
        />
        {(selectedCount > 0 || triage.selection.isSelecting) && (
          <SelectionBar
            count={selectedCount}
            isEveryLoaded={selectedCount === list.emails.length}
            senders={senders}
            triage={matching.triage}
            all={matching.all}
          />
        )}
      </section>
      {isDetailsOpen && active && (
        <PartBoundary>
          <EmailDetails
            email={active}
            othersListed={countOthersInInbox(active, list.emails)}
            triage={triage}
            onClose={() => setOpenId(undefined)}
          />
        </PartBoundary>
      )}
      <PartBoundary unfinished={{ kind: 'delete', ids: triage.toConfirm.map(({ id }) => id) }}>
        {hasAsked && <DeleteConfirmation triage={triage} />}
      </PartBoundary>
      <PartBoundary>
        {hasPlanned && (
          <CleanupDialog
            action={matching.action}
            filters={toServerFilters(filters)}
            onClose={matching.close}
            onStart={triage.clear}
          />
        )}
      </PartBoundary>
    </div>
  );
};
