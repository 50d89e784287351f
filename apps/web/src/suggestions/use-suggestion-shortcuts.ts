import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { Review } from './use-review.ts';
import type { Suggestions } from './use-suggestions.ts';

/** The keys of the suggestions. */
export const useSuggestionShortcuts = (input: {
  review: Review;
  suggestions: Suggestions;
  setOpenKey: (key: string | undefined) => void;
}): void => {
  const { review, suggestions, setOpenKey } = input;
  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: 'Next group', group: 'Move', run: () => review.move(1) },
    { keys: ['k', 'ArrowUp'], label: 'Group before', group: 'Move', run: () => review.move(-1) },
    { keys: ['o'], label: 'Open the group', group: 'Move', run: () => setOpenKey(review.active?.key) },
    { keys: ['Escape'], label: 'Back to the groups', group: 'Move', run: () => setOpenKey(undefined) },
    { keys: ['y', 'e'], label: 'Accept the group', group: 'Act', run: review.acceptChosen },
    { keys: ['n'], label: 'Reject the group', group: 'Act', run: review.rejectChosen },
    {
      keys: ['shift+y'],
      label: 'Accept everything shown',
      group: 'Act',
      run: () => review.acceptAll('Accept everything shown?'),
    },
    { keys: ['m'], label: 'Look at older emails', group: 'Act', run: suggestions.loadMore },
  ]);
};
