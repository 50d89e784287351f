import type { SuggestionGroup } from '@mailsweep/contracts';

/** Groups that are shown. */
const SHOWN = 3;

/** Emails that leave the inbox or the mailbox when the suggestions of a group are accepted. */
const countCleared = ({ actions }: SuggestionGroup): number => (actions.archive ?? 0) + (actions.delete ?? 0);

/** The groups that clear most emails, the largest first; those that only label or notify clear none. */
export const toLargestGroups = (groups: readonly SuggestionGroup[]): SuggestionGroup[] =>
  groups
    .filter((group) => countCleared(group) > 0)
    .toSorted((one, other) => countCleared(other) - countCleared(one))
    .slice(0, SHOWN);
