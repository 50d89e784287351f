import { describe, expect, it } from 'vitest';
import { rememberPlace, takeRememberedPlace } from './remembered-place.ts';

describe('the place that a sign-in returns to', () => {
  it('is where the user was, filters and all, once', () => {
    rememberPlace('/inbox?unread=true');
    expect(takeRememberedPlace()).toBe('/inbox?unread=true');
    expect(takeRememberedPlace()).toBe('/');
  });

  it.each(['https://evil.example', '//evil.example/inbox', '/\\evil.example'])(
    'is never another site: %s',
    (place) => {
      rememberPlace(place);
      expect(takeRememberedPlace()).toBe('/');
    },
  );

  it.each(['/sign-in?reason=expired', '/auth/callback'])('is never the sign-in itself: %s', (place) => {
    rememberPlace('/history');
    rememberPlace(place);
    expect(takeRememberedPlace()).toBe('/history');
  });

  it('does not follow an address that was put into the storage by someone else', () => {
    sessionStorage.setItem('mailsweep.place', '//evil.example');
    expect(takeRememberedPlace()).toBe('/');
  });
});
