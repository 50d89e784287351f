import { MailboxError, UnsupportedSearchError } from '@mailsweep/mail/mailbox';
import { expect, it } from 'vitest';
import { translateError } from './translate-error.ts';

it('names the operator of a search that the provider does not know', () => {
  expect(translateError(new UnsupportedSearchError('filename:', ['from:', 'is:']))).toMatchObject({
    status: 400,
    code: 'validation_failed',
    message: 'The request is not valid: search cannot use filename: in this mailbox, which takes from:, is:.',
  });
});

it('says what a mailbox refused, and keeps what went wrong on our side to the log', () => {
  const message = 'mail.example responded to Email/get with requestTooLarge';
  expect(translateError(new MailboxError('failed', message))).toMatchObject({
    status: 502,
    code: 'mailbox_refused',
    message: `The mail provider refused this: ${message}.`,
  });
  const ours = new MailboxError('failed', 'No access token could be had', { cause: new Error('secret') });
  expect(translateError(ours)).toBeUndefined();
});

it('says that a mailbox has no inbox', () => {
  expect(translateError(new MailboxError('no_inbox', ''))).toMatchObject({ status: 502, code: 'no_inbox' });
});
