import type { ApiClient } from '@mailsweep/client';
import type { PushLanguage, SubscribeToPushRequest } from '@mailsweep/contracts';
import { chooseLanguage } from '../language/choose-language.ts';
import { findPushSupport, findSubscriptionId, subscribeBrowser, unsubscribeBrowser } from './browser-push.ts';

const STORAGE_KEY = 'mailsweep.push';

/** A subscription that a user has made in this browser and not ended. */
interface KeptSubscription {
  userId: string;
  /** The id of the subscription at the API. */
  id: string;
}

/** The subscription that this browser should have; null when notifications are off. */
const readKeptSubscription = (): KeptSubscription | null =>
  // Nobody else writes it.
  JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as KeptSubscription | null;

const keepSubscription = (subscription: KeptSubscription): void =>
  localStorage.setItem(STORAGE_KEY, JSON.stringify(subscription));

const forgetSubscription = (): void => localStorage.removeItem(STORAGE_KEY);

/** Whether this device gets notifications, and why not. */
export type PushState = 'unsupported' | 'not_installed' | 'unavailable' | 'denied' | 'off' | 'on';

export interface DevicePush {
  state: PushState;
  /** The public key of the installation. */
  key: string | null;
}

/** The most subscriptions that a user may have fit on a page. */
const ALL = { page: 1, perPage: 100 };

export const readDevicePush = async (client: ApiClient, signal?: AbortSignal): Promise<DevicePush> => {
  const support = findPushSupport();
  if (support !== 'supported') return { state: support, key: null };
  const options = signal ? { signal } : {};
  const { key } = await client.getPushKey(options);
  if (key === null) return { state: 'unavailable', key };
  if (Notification.permission === 'denied') return { state: 'denied', key };
  const id = await findSubscriptionId(key);
  if (id === null) return { state: 'off', key };
  const { data } = await client.listPushSubscriptions({ query: ALL, ...options });
  return { state: data.some((one) => one.id === id) ? 'on' : 'off', key };
};

/** What the API takes of a subscription. */
const toRequest = (subscription: PushSubscription, language: PushLanguage): SubscribeToPushRequest => {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    language,
  };
};

let lastChange: Promise<unknown> = Promise.resolve();
/** Runs a change after those before it: one that restores must not undo one that ends. */
const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
  const result = lastChange.then(change);
  lastChange = result.catch(() => undefined);
  return result;
};

/** Switches notifications on. Call it on a click: the browser asks for the permission. */
export const switchPushOn = (client: ApiClient, key: string): Promise<void> =>
  inTurn(() => subscribeHere(client, key));

export const switchPushOff = (client: ApiClient): Promise<void> =>
  inTurn(async () => {
    const id = await unsubscribeHere();
    if (id !== null) await client.unsubscribeFromPush({ params: { id } });
  });

/** Ends the subscription of this browser alone: the API notices with the next message. */
export const endPushHere = (): Promise<void> => inTurn(async () => void (await unsubscribeHere()));

/**
 * Subscribes this browser again when it has lost its subscription, or has one with another key: browsers tell the app of
 * that seldom or never (docs/PUSH.md). The user is asked nothing.
 */
export const restorePush = (client: ApiClient): Promise<void> =>
  inTurn(async () => {
    const kept = readKeptSubscription();
    if (kept === null || findPushSupport() !== 'supported' || Notification.permission !== 'granted') return;
    const { key } = await client.getPushKey({});
    if (key === null || (await findSubscriptionId(key)) === kept.id) return;
    // Someone else who uses this browser has not switched them on.
    if ((await client.getMe({})).userId === kept.userId) await subscribeHere(client, key);
  });

const subscribeHere = async (client: ApiClient, key: string): Promise<void> => {
  const subscription = await subscribeBrowser(key);
  if (subscription === null) return;
  const { userId } = await client.getMe({});
  const { id } = await client.subscribeToPush({ body: toRequest(subscription, chooseLanguage().language) });
  keepSubscription({ userId, id });
};

/** Returns the id of the subscription; null when there was none. */
const unsubscribeHere = (): Promise<string | null> => {
  forgetSubscription();
  return unsubscribeBrowser();
};
