import {
  ACTION_SOURCES,
  type ActionSource,
  MAX_SEARCH_LENGTH,
  RECORDED_ACTIONS,
  type RecordedAction,
} from '@mailsweep/contracts';
import { readChoice, readText, type Search } from '../../address/read-search.ts';

/** Which part of the history shows, as the address bar holds it. */
export interface HistoryFilters {
  source?: ActionSource;
  action?: RecordedAction;
  /** Words of sender and subject. */
  search?: string;
}

export const readHistoryFilters = (search: Search): HistoryFilters => ({
  source: readChoice(search.source, ACTION_SOURCES),
  action: readChoice(search.action, RECORDED_ACTIONS),
  search: readText(search.search, MAX_SEARCH_LENGTH)?.trim() || undefined,
});
