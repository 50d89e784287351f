import type { PushMessage } from '@mailsweep/contracts';
import { toNotificationText } from './notification-texts.ts';

/** What of a service worker receives push messages; the types of service workers and of pages exclude each other. */
interface PushReceiver {
  location: Pick<Location, 'origin'>;
  registration: Pick<ServiceWorkerRegistration, 'showNotification'>;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}

interface WindowClient {
  url: string;
  focus(): Promise<WindowClient>;
  navigate(url: string): Promise<WindowClient | null>;
}
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface PushEvent extends ExtendableEvent {
  data: { json(): unknown } | null;
}
interface NotificationEvent extends ExtendableEvent {
  notification: Pick<Notification, 'close' | 'data'>;
}

/** Shows push messages, and opens what they are about when they are clicked. */
export const receivePush = (worker: PushReceiver): void => {
  worker.addEventListener('push', (event) => {
    // Only our own server has the keys to send here.
    const message = event.data?.json() as PushMessage | undefined;
    if (message) event.waitUntil(show(worker, message));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const { path } = event.notification.data as { path: string };
    event.waitUntil(open(worker, path));
  });
};

const show = (worker: PushReceiver, { tag, path, language, detail }: PushMessage): Promise<void> => {
  const { title, body } = toNotificationText(detail, language);
  return worker.registration.showNotification(title, {
    body,
    lang: language,
    // A repeated message takes the place of the first one.
    tag,
    icon: '/icons/app-192.png',
    badge: '/icons/app-192.png',
    data: { path },
  });
};

/** In a tab of the app that is open already, otherwise in a new one. Other sites are never opened. */
const open = async ({ clients, location }: PushReceiver, path: string): Promise<void> => {
  const target = new URL(path, location.origin);
  const url = target.origin === location.origin ? target.href : location.origin;
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find((one) => new URL(one.url).origin === location.origin);
  if (tab === undefined) {
    await clients.openWindow(url);
    return;
  }
  const focused = await tab.focus();
  // A tab that this service worker does not control cannot be led anywhere.
  if (focused.url !== url) await focused.navigate(url).catch(() => clients.openWindow(url));
};
