import { t } from '@lingui/core/macro';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { Shortcut } from '../keyboard/shortcut.ts';
import type { SuggestedEmail } from '../suggestions/suggested-email.ts';
import type { Review } from './decisions/use-review.ts';
import type { Preview } from './group/use-preview.ts';

/** The keys of the suggestions: they are about the open email, or else about the group. */
export const useReviewShortcuts = (input: {
  review: Review;
  preview: Preview;
  emails: readonly SuggestedEmail[];
  setOpenKey: (key: string | undefined) => void;
}): void => {
  const { review, preview, emails, setOpenKey } = input;
  const everywhere: Shortcut[] = [
    { keys: ['shift+y'], label: t`Accept everything shown`, group: 'Act', run: review.acceptAll },
  ];
  const ofEmail: Shortcut[] = [
    { keys: ['j', 'ArrowDown'], label: t`Next email`, group: 'Move', run: () => preview.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Email before`, group: 'Move', run: () => preview.move(-1) },
    { keys: ['Escape', 'Space'], label: t`Close the email`, group: 'Move', run: preview.close },
    { keys: ['y', 'e'], label: t`Accept for this email`, group: 'Act', run: () => preview.decide('accept') },
    { keys: ['n'], label: t`Reject for this email`, group: 'Act', run: () => preview.decide('reject') },
    { keys: ['x'], label: t`Tick or untick this email`, group: 'Select', run: preview.toggle },
  ];
  const ofGroup: Shortcut[] = [
    { keys: ['j', 'ArrowDown'], label: t`Next group`, group: 'Move', run: () => review.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Group before`, group: 'Move', run: () => review.move(-1) },
    { keys: ['o'], label: t`Open the group`, group: 'Move', run: () => setOpenKey(review.active?.key) },
    {
      keys: ['Space'],
      label: t`Review the emails one by one`,
      group: 'Move',
      run: () => preview.open(emails[0]?.id),
    },
    { keys: ['Escape'], label: t`Back to the groups`, group: 'Move', run: () => setOpenKey(undefined) },
    { keys: ['y', 'e'], label: t`Accept the group`, group: 'Act', run: review.acceptGroup },
    { keys: ['n'], label: t`Reject the group`, group: 'Act', run: review.rejectGroup },
  ];
  useShortcuts([...(preview.email ? ofEmail : ofGroup), ...everywhere]);
};
