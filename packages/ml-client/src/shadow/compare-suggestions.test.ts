import { expect, test } from 'vitest';
import { compareSuggestions } from './compare-suggestions.ts';

const suggest = (action: string, confidence_score = 0.5) => ({
  action,
  classification: 'bulk',
  confidence_score,
});

test.each([
  ['the same action', [suggest('archive')], [suggest('archive', 1)], 'agreed', 'archive', 'archive'],
  ['other actions', [suggest('archive')], [suggest('delete')], 'differed', 'archive', 'delete'],
  [
    'the surest of several',
    [suggest('notify', 0.2), suggest('label', 0.8)],
    [suggest('label')],
    'agreed',
    'label',
    'label',
  ],
  ['nothing, both', [], [], 'agreed', 'none', 'none'],
  ['nothing, one of them', [suggest('delete')], [], 'differed', 'delete', 'none'],
  ['the same word of their own', [suggest('snooze')], [suggest('snooze')], 'agreed', 'other', 'other'],
  ['different words of their own', [suggest('snooze')], [suggest('pin')], 'differed', 'other', 'other'],
] as const)('two services that suggest %s', (_case, ours, theirs, result, primary, shadow) => {
  expect(compareSuggestions(ours, theirs)).toEqual({ result, primary, shadow });
});
