const STORAGE_KEY = 'mailsweep.push';

/** A subscription that a user has made in this browser and not ended. */
interface KeptSubscription {
  userId: string;
  /** The id of the subscription at the API. */
  id: string;
}

/** The subscription that this browser should have; null when notifications are off. */
export const readKeptSubscription = (): KeptSubscription | null =>
  // Nobody else writes it.
  JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as KeptSubscription | null;

export const keepSubscription = (subscription: KeptSubscription): void =>
  localStorage.setItem(STORAGE_KEY, JSON.stringify(subscription));

export const forgetSubscription = (): void => localStorage.removeItem(STORAGE_KEY);
