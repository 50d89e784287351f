import { describe, expect, it } from 'vitest';
import { toSignInNotice } from './sign-in-notices.ts';

describe('the notice at the sign-in', () => {
  it.each([
    ['?error=access_denied', 'alert', /did not grant access/],
    ['?error=account_mismatch', 'alert', /another Google account/],
    ['?error=gmail_api_disabled', 'alert', /operator has to enable it/],
    ['?error=mail_service_disabled', 'alert', /has no Gmail/],
    ['?error=missing_scope', 'alert', /tick the box for Gmail/],
    ['?reason=expired', 'status', /session has ended/],
    ['?error=login_expired&reason=expired', 'alert', /ten minutes/],
    ['?error=%3Cscript%3E', 'alert', /Google could not complete/],
    ['?error=constructor', 'alert', /Google could not complete/],
    ['?error=provider_unavailable&provider=fastmail', 'alert', /^Your mail provider did not respond/],
    ['?error=access_denied&provider=fastmail', 'alert', /did not grant access/],
    ['?error=constructor&provider=fastmail', 'alert', /^Your mail provider could not complete/],
  ])('explains %s', (search, role, words) => {
    expect(toSignInNotice(search)).toEqual({ role, words: expect.stringMatching(words) });
  });

  it.each(['', '?provider=home', '?reason=', '?reason=boredom', '?reason=toString'])(
    'stays away for %j',
    (search) => {
      expect(toSignInNotice(search)).toBeUndefined();
    },
  );
});
