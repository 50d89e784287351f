import { MAX_SEARCH_LENGTH, SENDER_SORTS, type SenderSort } from '@mailsweep/contracts';
import { readChoice, readText, type Search } from '../../address/read-search.ts';

/** The number of emails is the order when none is given. */
const DEFAULT_SORT = 'mails';
type OtherSort = Exclude<SenderSort, typeof DEFAULT_SORT>;
const OTHER_SORTS = SENDER_SORTS.filter((sort) => sort !== DEFAULT_SORT);

/** What the senders screen shows, as the address bar holds it; a value that is not valid is left out. */
export interface SenderFilters {
  sort?: OtherSort;
  /** Words to look for in names and addresses. */
  find?: string;
}

export const readSenderFilters = (search: Search): SenderFilters => ({
  sort: readChoice(search.sort, OTHER_SORTS),
  find: readText(search.find, MAX_SEARCH_LENGTH),
});
