const STORAGE_KEY = 'mailsweep.place';

/** Where a sign-in leads when no place was remembered. */
const HOME = '/';

/** Only addresses of our own app, so that nothing can send the user elsewhere; and none of the sign-in itself. */
const isOwnPlace = (place: string): boolean =>
  /^\/(?![/\\])/.test(place) && !/^\/(sign-in|auth)(\/|\?|$)/.test(place);

/** Keeps the address that the user was at, for this tab, until the sign-in is over. */
export const rememberPlace = (place: string): void => {
  if (isOwnPlace(place)) sessionStorage.setItem(STORAGE_KEY, place);
};

/** The remembered address, once; the home screen when there is none. */
export const takeRememberedPlace = (): string => {
  const place = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  return place && isOwnPlace(place) ? place : HOME;
};
