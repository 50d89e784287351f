import type { ApiClient } from '@mailsweep/client';
import type { PushLanguage, SubscribeToPushRequest } from '@mailsweep/contracts';
import { chooseLanguage } from '../language/choose-language.ts';
import { storeText } from '../session/store-text.ts';

/** Safari on iPhone and iPad has push only for apps on the home screen. */
const isAppleMobile = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

const findPushSupport = (): 'supported' | 'unsupported' | 'not_installed' => {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported';
  return isAppleMobile() ? 'not_installed' : 'unsupported';
};

const findManager = async (): Promise<PushManager | undefined> =>
  (await navigator.serviceWorker?.getRegistration())?.pushManager;

/** The API's id of a subscription: the SHA-256 of its endpoint. */
const toId = async ({ endpoint }: PushSubscription): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Whether a subscription uses this key; assumed if the browser does not tell. */
const takesKey = ({ options }: PushSubscription, key: string): boolean => {
  const known = options?.applicationServerKey;
  if (!known) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(known)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
};

/**
 * The id of this browser's subscription, or null.
 *
 * @param key - the installation's public key: push services refuse its messages for subscriptions with another one
 */
const findSubscriptionId = async (key: string): Promise<string | null> => {
  const subscription = await (await findManager())?.getSubscription();
  return subscription && takesKey(subscription, key) ? toId(subscription) : null;
};

/**
 * Subscribes this browser. Call it on a click: it asks for permission.
 *
 * @param key - the installation's public key
 * @returns null if the user refuses
 * @throws as the browser or its push service does
 */
const subscribeBrowser = async (key: string): Promise<PushSubscription | null> => {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // Subscribed with another key.
    const former = await pushManager.getSubscription();
    if (former === null) throw error;
    await former.unsubscribe();
    return await pushManager.subscribe(options);
  }
};

const STORAGE_KEY = 'mailsweep.push';

/** A subscription that the user made in this browser and has not ended. */
interface KeptSubscription {
  userId: string;
  /** The API's id of the subscription. */
  id: string;
}

/** The subscription that this browser should have, or null. */
const readKeptSubscription = (): KeptSubscription | null =>
  // Only this file writes it.
  JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as KeptSubscription | null;

export type PushState = 'unsupported' | 'not_installed' | 'unavailable' | 'denied' | 'off' | 'on';

/** A page holds the most subscriptions that a user may have. */
const ALL = { page: 1, perPage: 100 };

/** With the installation's public key. */
export const readDevicePush = async (
  client: ApiClient,
  signal?: AbortSignal,
): Promise<{ state: PushState; key: string | null }> => {
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

const toRequest = (subscription: PushSubscription, language: PushLanguage): SubscribeToPushRequest => {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    language,
  };
};

let lastChange: Promise<unknown> = Promise.resolve();
/** Runs changes in order: a restore must not undo an end. */
const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
  const result = lastChange.then(change);
  lastChange = result.catch(() => undefined);
  return result;
};

/** Switches notifications on. Call it on a click: the browser asks for permission. */
export const switchPushOn = (client: ApiClient, key: string): Promise<void> =>
  inTurn(() => subscribeHere(client, key));

export const switchPushOff = (client: ApiClient): Promise<void> =>
  inTurn(async () => {
    const id = await unsubscribeHere();
    if (id !== null) await client.unsubscribeFromPush({ params: { id } });
  });

/** Unsubscribes this browser only; the API notices with the next message. */
export const endPushHere = (): Promise<void> => inTurn(async () => void (await unsubscribeHere()));

/**
 * Renews a subscription that the browser dropped, or that has an outdated key: browsers rarely notify the app
 * (docs/PUSH.md). Does not prompt the user.
 */
export const restorePush = (client: ApiClient): Promise<void> =>
  inTurn(async () => {
    const kept = readKeptSubscription();
    if (kept === null || findPushSupport() !== 'supported' || Notification.permission !== 'granted') return;
    const { key } = await client.getPushKey({});
    if (key === null || (await findSubscriptionId(key)) === kept.id) return;
    // Another user of this browser has not switched them on.
    if ((await client.getMe({})).userId === kept.userId) await subscribeHere(client, key);
  });

const subscribeHere = async (client: ApiClient, key: string): Promise<void> => {
  const subscription = await subscribeBrowser(key);
  if (subscription === null) return;
  const { userId } = await client.getMe({});
  const { id } = await client.subscribeToPush({ body: toRequest(subscription, chooseLanguage().language) });
  storeText(localStorage, STORAGE_KEY, JSON.stringify({ userId, id } satisfies KeptSubscription));
};

/** Returns the subscription's id, or null. */
const unsubscribeHere = async (): Promise<string | null> => {
  localStorage.removeItem(STORAGE_KEY);
  const subscription = await (await findManager())?.getSubscription();
  if (!subscription) return null;
  const id = await toId(subscription);
  await subscription.unsubscribe();
  return id;
};
