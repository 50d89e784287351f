import { t } from '@lingui/core/macro';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { inGroup } from '../keyboard/shortcut.ts';
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
  const ofEmail = [
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next email`, () => preview.move(1)],
      [['k', 'ArrowUp'], t`Email before`, () => preview.move(-1)],
      [['Escape', 'Space'], t`Close the email`, preview.close],
    ]),
    ...inGroup('Act', [
      [['y', 'e'], t`Accept for this email`, () => preview.decide('accept')],
      [['n'], t`Reject for this email`, () => preview.decide('reject')],
    ]),
    ...inGroup('Select', [[['x'], t`Tick or untick this email`, preview.toggle]]),
  ];
  const ofGroup = [
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next group`, () => review.move(1)],
      [['k', 'ArrowUp'], t`Group before`, () => review.move(-1)],
      [['o'], t`Open the group`, () => setOpenKey(review.active?.key)],
      [['Space'], t`Review the emails one by one`, () => preview.open(emails[0]?.id)],
      [['Escape'], t`Back to the groups`, () => setOpenKey(undefined)],
    ]),
    ...inGroup('Act', [
      [['y', 'e'], t`Accept the group`, review.acceptGroup],
      [['n'], t`Reject the group`, review.rejectGroup],
    ]),
  ];
  useShortcuts([
    ...(preview.email ? ofEmail : ofGroup),
    ...inGroup('Act', [[['shift+y'], t`Accept everything shown`, review.acceptAll]]),
  ]);
};
