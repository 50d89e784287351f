import { UnsupportedSearchError } from '@mailsweep/mailbox';
import { expect, it } from 'vitest';
import { translateError } from './translate-error.ts';

it('names the operator of a search that the provider does not know', () => {
  expect(translateError(new UnsupportedSearchError('filename:', ['from:', 'is:']))).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: 'The request is not valid: search cannot use filename: in this mailbox, which takes from:, is:.',
  });
});
