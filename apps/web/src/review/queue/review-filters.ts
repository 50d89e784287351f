import { ACCEPTANCE_BANDS, EMAIL_ID, type SuggestionGrouping } from '@mailsweep/contracts';
import { readChoice, readMatch, type Search } from '../../address/read-search.ts';
import type { SuggestionView } from '../../queries/suggestions-query.ts';

/** How sure the suggestions are that are shown, from the surest on. */
const SHOWN = ['sure', 'likely', 'everything'] as const;
export type Shown = (typeof SHOWN)[number];

/** How the suggestions are shown, as the address bar holds it. */
export interface ReviewFilters {
  /** By sender when left out. */
  by?: 'reason';
  /** The surest that there are when left out. */
  show?: Shown;
}

/** The same once it is known how sure the suggestions are that are shown. */
export type ShownFilters = ReviewFilters & { show: Shown };

/** The filters, and the email that is open beside its group. */
export const readReviewSearch = (search: Search): ReviewFilters & { email?: string } => ({
  by: readChoice(search.by, ['reason']),
  show: readChoice(search.show, SHOWN),
  email: readMatch(search.email, EMAIL_ID),
});

const LEAST_ACCEPTANCE: Record<Shown, number> = { ...ACCEPTANCE_BANDS, everything: 0 };

const toGrouping = ({ by }: ReviewFilters): SuggestionGrouping =>
  by === 'reason' ? 'classification' : 'sender';

/** What to ask the API for. */
export const toView = (filters: ReviewFilters): SuggestionView => ({
  by: toGrouping(filters),
  minAcceptance: LEAST_ACCEPTANCE[filters.show ?? 'sure'],
});
