import { SUMMARY_PERIODS, type SummaryPeriod } from '@mailsweep/contracts';
import { readChoice, type Search } from '../address/read-search.ts';

/** What the activity shows, as the address bar holds it. */
export interface ActivityFilters {
  /** All time when left out. */
  period?: SummaryPeriod;
}

export const readActivityFilters = (search: Search): ActivityFilters => ({
  period: readChoice(search.period, SUMMARY_PERIODS),
});
