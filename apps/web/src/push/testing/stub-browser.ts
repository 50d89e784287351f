import { vi } from 'vitest';

export const KEY = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
export const ENDPOINT = 'https://push.example.com/send/1';
export const KEYS = { p256dh: KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' };

/** The API's id of a subscription. */
export const toId = async (endpoint: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};

const toBytes = (key: string): ArrayBuffer =>
  Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer;

/** A browser with push, whose user answers the permission prompt. Has one subscription at a time, with one key. */
export const stubBrowser = ({
  answer = 'granted',
  isSubscribed = false,
  subscribedKey = KEY,
  endpoint = ENDPOINT,
  permission: initial = 'default',
} = {}) => {
  const unsubscribe = vi.fn(async () => {
    isSubscribed = false;
    return true;
  });
  const subscription = {
    endpoint,
    options: { applicationServerKey: toBytes(subscribedKey) },
    toJSON: () => ({ endpoint, expirationTime: null, keys: KEYS }),
    unsubscribe,
  };
  const subscribe = vi.fn(async ({ applicationServerKey }: { applicationServerKey: string }) => {
    if (isSubscribed && applicationServerKey !== subscribedKey) {
      throw new DOMException('another key', 'InvalidStateError');
    }
    isSubscribed = true;
    subscription.options.applicationServerKey = toBytes(applicationServerKey);
    return subscription;
  });
  const pushManager = { subscribe, getSubscription: async () => (isSubscribed ? subscription : null) };
  const permission = { permission: initial };
  const requestPermission = vi.fn(async () => {
    permission.permission = answer;
    return answer;
  });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', Object.assign(permission, { requestPermission }));
  const registration = { pushManager };
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, {
      serviceWorker: {
        value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
      },
    }),
  );
  return { subscribe, unsubscribe, requestPermission };
};
