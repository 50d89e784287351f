import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { InboxAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { listShortcuts } from '../controls/list/selection.ts';
import { SelectButton, SelectionToolbar } from '../controls/list/selection-toolbar.tsx';
import { useOpenAndActive } from '../controls/use-open-and-active.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { EmailActionButtons } from '../email/email-action-buttons.tsx';
import { RunningCount } from '../email/running-count.tsx';
import { parseSender } from '../email/sender/sender.ts';
import { inGroup, useShortcuts } from '../keyboard/keyboard-context.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { type Triage, useTriage } from './actions/use-triage.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { type InboxFilters, toSearch, toServerFilters } from './filters/inbox-filters.ts';
import { countOthersInInbox } from './list/conversations.ts';
import { type EmailListState, InboxBody, useEmailList } from './list/inbox-body.tsx';

const SelectionBar = (props: {
  list: EmailListState;
  triage: Triage;
  /** Set if every loaded email is selected and more match. */
  all?: { isSelected: boolean; count: string; select: () => void } | undefined;
}) => {
  const { list, triage, all } = props;
  const count = triage.selectedEmails.length;
  const senders = new Set(triage.selectedEmails.map((email) => parseSender(email.from).key)).size;
  return (
    <SelectionToolbar
      label={t`Selected emails`}
      count={all?.isSelected ? t`All ${all.count}` : countEmails(count)}
      detail={
        all?.isSelected
          ? t`, loaded or not`
          : count > 0 && ` ${plural(senders, { one: 'from # sender', other: 'from # senders' })}`
      }
      onSelectAll={count === list.emails.length || all?.isSelected ? undefined : triage.toggleAll}
      onClear={triage.clear}
    >
      {all && !all.isSelected && (
        <Button variant="light" onClick={all.select}>
          <Trans>Select all {all.count}</Trans>
        </Button>
      )}
      <EmailActionButtons
        readChange={triage.readChange}
        isDisabled={count === 0}
        onRequest={triage.requestForSelected}
      />
    </SelectionToolbar>
  );
};

const useInboxShortcuts = (input: {
  triage: Triage;
  isDetailsOpen: boolean;
  setOpenId: (id: string | undefined) => void;
}): void => {
  const { triage, isDetailsOpen, setOpenId } = input;
  const toggleDetails = () => {
    if (isDetailsOpen) setOpenId(undefined);
    else if (triage.selection.activeId !== null) setOpenId(triage.selection.activeId);
  };
  const leave = () => {
    if (isDetailsOpen) setOpenId(undefined);
    else triage.clear();
  };
  const { paging, selecting } = listShortcuts(triage);
  useShortcuts([
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next email`, () => triage.move(1)],
      [['k', 'ArrowUp'], t`Email before`, () => triage.move(-1)],
      [['Enter', 'o'], t`Show or hide details`, toggleDetails],
    ]),
    ...paging,
    ...selecting,
    ...inGroup('Select', [
      [['s'], t`Select all from this sender`, triage.selectSender],
      [['Escape'], t`Close details or clear selection`, leave],
    ]),
    ...inGroup('Act', [
      [['e'], t`Archive`, () => triage.requestForTargets('archive')],
      [['#', 'Delete'], t({ message: 'Trash', context: 'verb' }), () => triage.requestForTargets('delete')],
      [['u'], t`Mark read or unread`, () => triage.requestForTargets(triage.readChange)],
    ]),
  ]);
};

const EmailDetails = lazyPart(async () => (await import('./details/email-details.tsx')).EmailDetails);
const DeleteConfirmation = lazyPart(
  async () => (await import('./actions/delete-confirmation.tsx')).DeleteConfirmation,
);

const CleanupDialog = lazyPart(async () => (await import('../cleanup/cleanup-dialog.tsx')).CleanupDialog);

const route = getRouteApi('/app/inbox');

/**
 * Lets the selection of every loaded email stand for every matching email, which the server plans first. Any other
 * selection ends it.
 */
const useMatchingSelection = (input: { list: EmailListState; triage: Triage; filters: InboxFilters }) => {
  const { list, triage, filters } = input;
  /** That selection, and its filters. */
  const [standIn, setStandIn] = useState<{ ids: ReadonlySet<string>; under: string } | null>(null);
  const [action, setAction] = useState<InboxAction | null>(null);
  const { selectedIds } = triage.selection;
  const isEveryLoaded = list.emails.length > 0 && triage.selectedEmails.length === list.emails.length;
  // The server can't plan a filter of the loaded emails.
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

export const InboxScreen = () => {
  const { email: openId, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const setFilters = (change: Partial<InboxFilters>) =>
    // The state keeps open dialogs.
    navigate({ search: (current) => ({ ...current, ...change }), replace: true, state: true });
  // Back leads to the list without the typed words.
  const search = async (words: string) => {
    await setFilters({ find: undefined });
    await navigate({ search: (current) => ({ ...current, ...toSearch(words), email: undefined }) });
  };
  const list = useEmailList(filters);
  const triage = useTriage(list.emails);
  const { activeId } = triage.selection;
  // Back leads to the list, not through every opened email.
  const setOpenId = (email: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, email }), replace: openId !== undefined });
  useOpenAndActive({ openId, setOpenId, activeId, activate: triage.activate });
  const isDetailsOpen = openId !== undefined;
  const matching = useMatchingSelection({ list, triage, filters });
  useInboxShortcuts({ triage: matching.triage, isDetailsOpen, setOpenId });

  const active = useMemo(() => list.emails.find((email) => email.id === activeId), [list.emails, activeId]);

  return (
    <div className={shapes.listScreen}>
      <section className={shapes.listSide} aria-label={t`Email list`}>
        <ScreenHeader
          title={filters.scope === 'all' ? t`All mail` : t`Inbox`}
          note={
            list.total ? (
              <>
                {/* Runs within one list, not from one to another. */}
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
        {(triage.selectedEmails.length > 0 || triage.selection.isSelecting) && (
          <SelectionBar list={list} triage={matching.triage} all={matching.all} />
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
        {triage.toConfirm.length > 0 && <DeleteConfirmation triage={triage} />}
      </PartBoundary>
      <PartBoundary>
        {matching.action && (
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
