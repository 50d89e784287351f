import { AuditEventSchema } from '@mailsweep/contracts';
import { expect, it } from 'vitest';
import { describeAuditEntry } from './audit-words.ts';

it.each([
  ['signed_in', {}, 'Signed in'],
  ['sign_in_refused', { code: 'missing_scope' }, 'Sign-in refused: no access to the mailbox was granted'],
  ['sign_in_refused', { code: 'temporarily_unavailable' }, 'Sign-in failed'],
  ['signed_out_everywhere', { sessions: 1 }, 'Signed out everywhere (1 browser)'],
  ['signed_out_everywhere', { sessions: 3 }, 'Signed out everywhere (3 browsers)'],
  ['signed_out_everywhere', {}, 'Signed out everywhere'],
  ['settings_changed', {}, 'Settings changed'],
])('says of %s with %j: %s', (event, details, words) => {
  expect(describeAuditEntry({ event, details })).toBe(words);
});

it('has words for every event of the contract', () => {
  for (const event of AuditEventSchema.options) {
    expect(describeAuditEntry({ event, details: {} })).not.toContain('_');
  }
});
