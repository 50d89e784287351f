import { describe, expect, it } from 'vitest';
import { showAdding, toSignInNotice } from './sign-in-notices.ts';

describe('the notice at the sign-in', () => {
  it.each([
    ['?error=access_denied', 'alert', /did not grant access/],
    ['?error=account_mismatch', 'alert', /another Google account/],
    ['?error=gmail_api_disabled', 'alert', /operator has to enable it/],
    ['?error=mail_service_disabled', 'alert', /has no Gmail/],
    ['?error=missing_scope', 'alert', /tick the box for Gmail/],
    ['?reason=expired', 'status', /session has ended/],
    ['?error=mailbox_taken', 'alert', /take it out in the settings/],
    ['?error=mailbox_limit', 'alert', /Take one out/],
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

describe('a page that adds a mailbox', () => {
  const show = (search: string) => {
    window.history.replaceState(null, '', `/sign-in${search}`);
    document.body.innerHTML =
      '<div class="door-card"><h1></h1><a class="door-button" href="https://api.example.org/auth/idp">Google</a><p class="door-hint"></p><a class="door-look" href="https://api.example.org/auth/idp?access=read">Look</a></div>';
    showAdding();
    return [...document.querySelectorAll('a')].map(({ href, textContent }) => [textContent, href]);
  };

  it('has its links add one', () => {
    expect(show('?add=true')).toEqual([
      ['Google', 'https://api.example.org/auth/idp?add=true'],
      ['Look', 'https://api.example.org/auth/idp?access=read&add=true'],
      ['Back to Mailsweep', expect.stringMatching(/\/$/)],
    ]);
    expect(document.querySelector('h1')?.textContent).toBe('Add a mailbox');
  });

  it('has the user sign in again first, where the session is too old', () => {
    expect(show('?add=true&error=recent_sign_in_required')[0]).toEqual([
      'Sign in again',
      'https://api.example.org/auth/idp?renew=true',
    ]);
    expect(document.querySelectorAll('.door-button, .door-hint')).toHaveLength(0);
  });

  it('is no other', () => {
    expect(show('')[0]).toEqual(['Google', 'https://api.example.org/auth/idp']);
  });
});
