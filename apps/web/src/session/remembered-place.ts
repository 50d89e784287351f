import { storeText } from './store-text.ts';

const STORAGE_KEY = 'mailsweep.place';

const HOME = '/';

/** Only our own addresses, so that nothing leads elsewhere; and not the sign-in's. */
const isOwnPlace = (place: string): boolean =>
  /^\/(?![/\\])/.test(place) && !/^\/(sign-in|auth)(\/|\?|$)/.test(place);

/** Remembers the address in this tab during a sign-in. */
export const rememberPlace = (place: string): void => {
  if (isOwnPlace(place)) storeText(sessionStorage, STORAGE_KEY, place);
};

/** Returns the remembered address once; the home screen by default. */
export const takeRememberedPlace = (): string => {
  const place = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  return place && isOwnPlace(place) ? place : HOME;
};
