import { describe, expect, it, vi } from 'vitest';
import { rememberPlace } from './remembered-place.ts';
import { noteLeaving, returnFromSignIn, takeAdded } from './return-from-sign-in.ts';

describe('coming back from the provider', () => {
  it('leads to the place remembered, filters and all', () => {
    rememberPlace('/inbox?category=social');
    expect(arrive('/auth/callback')).toEqual({ stays: true, address: '/inbox?category=social' });
  });

  it('leads to the sign-in, with the reason, when the provider said no', () => {
    expect(arrive('/auth/callback?error=access_denied')).toMatchObject({
      stays: false,
      left: '/sign-in?error=access_denied',
    });
  });

  it('leads to the place remembered when the user declined more access alone', () => {
    rememberPlace('/inbox?unread=true');
    noteLeaving('allowing');
    expect(arrive('/auth/callback?error=access_denied')).toEqual({
      stays: true,
      address: '/inbox?unread=true',
    });
    expect(arrive('/auth/callback?error=access_denied')).toMatchObject({ stays: false });
    noteLeaving('allowing');
    expect(arrive('/auth/callback?error=account_mismatch')).toMatchObject({ stays: false });
  });

  it('hands on which provider said no, where that is not Google', () => {
    expect(arrive('/auth/callback?error=access_denied&provider=fastmail')).toMatchObject({
      left: '/sign-in?error=access_denied&provider=fastmail',
    });
  });

  it('hands on nothing that could mean more than a code', () => {
    expect(arrive('/auth/callback?error=a%26reason=erased')).toMatchObject({
      left: '/sign-in?error=a%26reason%3Derased',
    });
  });

  it('leads to the mailbox that was added, and tells it once', () => {
    rememberPlace('/settings?continue=mailboxes');
    noteLeaving('adding');
    expect(arrive('/auth/callback?mailbox=2')).toEqual({ stays: true, address: '/m/2/' });
    expect([takeAdded(), takeAdded()]).toEqual([true, false]);
  });

  it('leads back where a mailbox was renewed, in whichever the user was', () => {
    rememberPlace('/m/3/inbox?unread=true');
    noteLeaving('signing_in');
    expect(arrive('/auth/callback?mailbox=2')).toEqual({ stays: true, address: '/m/3/inbox?unread=true' });
    expect(takeAdded()).toBe(false);
  });

  it('explains why no mailbox was added where another one can be', () => {
    rememberPlace('/m/3/settings?continue=mailboxes');
    noteLeaving('adding');
    expect(arrive('/auth/callback?error=mailbox_taken&provider=fastmail')).toMatchObject({
      stays: false,
      left: '/sign-in?error=mailbox_taken&provider=fastmail&add=true',
    });
    expect(arrive('/auth/callback?error=access_denied')).toMatchObject({
      left: '/sign-in?error=access_denied&add=true',
    });
    // A new sign-in leads on.
    expect(arrive('/auth/callback')).toEqual({ stays: true, address: '/m/3/settings?continue=mailboxes' });
  });

  it('changes no other address', () => {
    expect(arrive('/history?source=inbox')).toEqual({ stays: true, address: '/history?source=inbox' });
  });
});

const arrive = (address: string) => {
  window.history.replaceState(null, '', address);
  const replace = vi.spyOn(window.location, 'replace').mockReturnValue();
  const stays = returnFromSignIn();
  const { pathname, search } = window.location;
  return { stays, ...(stays ? { address: pathname + search } : { left: replace.mock.lastCall?.[0] }) };
};
