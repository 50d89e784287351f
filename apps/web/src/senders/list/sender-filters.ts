import { t } from '@lingui/core/macro';
import { MAX_SEARCH_LENGTH, SENDER_SORTS, type SenderGrouping, type SenderSort } from '@mailsweep/contracts';
import { readChoice, readText, type Search } from '../../address/read-search.ts';
import type { Choice } from '../../controls/select.tsx';

const DEFAULT_SORT = 'mails';
type OtherSort = Exclude<SenderSort, typeof DEFAULT_SORT>;
const OTHER_SORTS = SENDER_SORTS.filter((sort) => sort !== DEFAULT_SORT);

/** As in the address; invalid values are dropped. */
export interface SenderFilters {
  by?: Exclude<SenderGrouping, 'address'>;
  sort?: OtherSort;
  /** Words to find in names and addresses. */
  find?: string;
  unsubscribe?: 'still_sending';
}

export const readSenderFilters = (search: Search): SenderFilters => ({
  by: readChoice(search.by, ['domain', 'list']),
  sort: readChoice(search.sort, OTHER_SORTS),
  find: readText(search.find, MAX_SEARCH_LENGTH),
  unsubscribe: readChoice(search.unsubscribe, ['still_sending']),
});

export const toSortChoices = (): readonly Choice<SenderFilters['sort'] & string>[] => [
  { label: t`Most emails`, value: undefined },
  { label: t`Most in the inbox`, value: 'inInbox' },
  { label: t`Most unread`, value: 'unread' },
  { label: t`Largest`, value: 'bytes' },
  { label: t`Last seen`, value: 'lastSeen' },
  { label: t`Last read`, value: 'lastRead' },
  { label: t`Most suggested`, value: 'suggested' },
];
