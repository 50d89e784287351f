/** Why this browser gets no notifications, or that it may ask for them. */
export type PushSupport = 'supported' | 'unsupported' | 'not_installed';

/** iPhone and iPad: Safari there has push only for apps on the home screen. */
const isAppleMobile = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** Whether this browser can show notifications of a closed app. */
export const findPushSupport = (): PushSupport => {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported';
  return isAppleMobile() ? 'not_installed' : 'unsupported';
};

const findManager = async (): Promise<PushManager | undefined> =>
  (await navigator.serviceWorker?.getRegistration())?.pushManager;

/** The id of a subscription at the API: the SHA-256 of its endpoint. */
const toId = async ({ endpoint }: PushSubscription): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

/** Whether a subscription takes messages signed with this key; browsers that do not tell count as if they did. */
const takesKey = ({ options }: PushSubscription, key: string): boolean => {
  const known = options?.applicationServerKey;
  if (!known) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(known)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
};

/**
 * The id of this browser's subscription; null when it has none.
 *
 * @param key - the public key of the installation: push services refuse its messages for a subscription with another one
 */
export const findSubscriptionId = async (key: string): Promise<string | null> => {
  const subscription = await (await findManager())?.getSubscription();
  return subscription && takesKey(subscription, key) ? toId(subscription) : null;
};

/**
 * Subscribes this browser. Call it on a click: it asks for the permission.
 *
 * @param key - the public key of the installation
 * @returns null when the user does not allow it
 * @throws what the browser or its push service reports
 */
export const subscribeBrowser = async (key: string): Promise<PushSubscription | null> => {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // It is subscribed with another key.
    const former = await pushManager.getSubscription();
    if (former === null) throw error;
    await former.unsubscribe();
    return await pushManager.subscribe(options);
  }
};

/** Ends the subscription of this browser; returns its id, null when there was none. */
export const unsubscribeBrowser = async (): Promise<string | null> => {
  const subscription = await (await findManager())?.getSubscription();
  if (!subscription) return null;
  const id = await toId(subscription);
  await subscription.unsubscribe();
  return id;
};
