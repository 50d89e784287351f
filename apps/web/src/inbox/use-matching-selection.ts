import { t } from '@lingui/core/macro';
import type { InboxAction } from '@mailsweep/contracts';
import { useState } from 'react';
import { formatCount } from '../email/counts.ts';
import type { Triage } from './actions/use-triage.ts';
import type { InboxFilters } from './filters/inbox-filters.ts';
import type { EmailListState } from './list/use-email-list.ts';

/**
 * Lets the selection of every loaded email stand for every email that matches the filters. Actions on it are planned by
 * the server first. Any other change of the selection ends it.
 */
export const useMatchingSelection = (input: {
  list: EmailListState;
  triage: Triage;
  filters: InboxFilters;
}) => {
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
