import type { NotificationDetail, PushLanguage, PushMessage } from '@mailsweep/contracts';

interface NotificationText {
  title: string;
  body: string;
}

type Content<Kind extends NotificationDetail['kind']> = NonNullable<
  Extract<NotificationDetail, { kind: Kind }>['content']
>;

interface Words {
  alert: NotificationText;
  alerts: (count: number) => string;
  digest: NotificationText;
  /** Follows each number. */
  digestOf: Record<keyof Content<'digest'>, string>;
  attention: NotificationText;
  reconnect: NotificationText;
  rulePaused: (name: string) => NotificationText;
  test: NotificationText;
}

/** Not in the app's catalogs: the service worker is one small file. */
const WORDS: Record<PushLanguage, Words> = {
  en: {
    alert: { title: 'Mailsweep', body: 'You have important new email.' },
    alerts: (count) => `${count} important new emails`,
    digest: { title: 'Your digest', body: 'See what happened in your mailbox.' },
    digestOf: {
      arrived: 'arrived',
      cleaned: 'cleaned',
      byRules: 'cleaned by rules',
      waiting: 'with suggestions',
    },
    attention: { title: 'Mailsweep needs you', body: 'Open it to see why.' },
    reconnect: {
      title: 'Sign in again',
      body: 'The connection to your mailbox has ended. Nothing was lost.',
    },
    rulePaused: (name) => ({ title: 'A rule was paused', body: name }),
    test: { title: 'Mailsweep', body: 'Notifications work on this device.' },
  },
  de: {
    alert: { title: 'Mailsweep', body: 'Du hast neue wichtige E-Mails.' },
    alerts: (count) => `${count} neue wichtige E-Mails`,
    digest: { title: 'Deine Übersicht', body: 'Sieh nach, was in deinem Postfach geschehen ist.' },
    digestOf: {
      arrived: 'angekommen',
      cleaned: 'aufgeräumt',
      byRules: 'von Regeln aufgeräumt',
      waiting: 'mit Vorschlägen',
    },
    attention: { title: 'Mailsweep braucht dich', body: 'Öffne es, um zu sehen, warum.' },
    reconnect: {
      title: 'Melde dich neu an',
      body: 'Die Verbindung zu deinem Postfach ist beendet. Es ist nichts verloren.',
    },
    rulePaused: (name) => ({ title: 'Eine Regel wurde angehalten', body: name }),
    test: { title: 'Mailsweep', body: 'Benachrichtigungen kommen auf diesem Gerät an.' },
  },
};

const DIGEST_ORDER = ['arrived', 'cleaned', 'byRules', 'waiting'] as const;

/** The display name, or the address. */
const toName = (from: string): string => {
  const name = from.slice(0, Math.max(0, from.lastIndexOf('<'))).trim();
  return name.replace(/^"(.*)"$/s, '$1') || from;
};

/** A rule's sender, or its classification in readable letters. */
const toRuleName = (name: string): string => (name.includes('@') ? toName(name) : name.replaceAll('_', ' '));

const toNotificationText = (detail: NotificationDetail, language: PushLanguage): NotificationText => {
  const words = WORDS[language];
  if (detail.content === null || detail.kind === 'test') return words[detail.kind];
  if (detail.kind === 'digest') {
    const { content } = detail;
    const parts = DIGEST_ORDER.filter((part) => content[part] > 0).map(
      (part) => `${content[part]} ${words.digestOf[part]}`,
    );
    return { title: words.digest.title, body: parts.join(' · ') };
  }
  if (detail.kind === 'attention') {
    const { reason, name = '' } = detail.content;
    return reason === 'reconnect' ? words.reconnect : words.rulePaused(toRuleName(name));
  }
  const { count, emails } = detail.content;
  const [first] = emails;
  if (count === 1 && first) return { title: toName(first.from), body: first.subject };
  return {
    title: words.alerts(count),
    body: emails.map(({ from, subject }) => `${toName(from)}: ${subject}`).join('\n'),
  };
};

/** The part of a service worker that receives push messages; its types exclude those of pages. */
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

/** Shows push messages, and opens their subject on a click. */
export const receivePush = (worker: PushReceiver): void => {
  worker.addEventListener('push', (event) => {
    // Only our server has the keys to send here.
    const message = event.data?.json() as PushMessage | undefined;
    if (message) event.waitUntil(show(worker, message));
  });
  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const { path } = event.notification.data as { path: string };
    event.waitUntil(open(worker, path));
  });
};

const show = (worker: PushReceiver, { tag, path, language, mailbox, detail }: PushMessage): Promise<void> => {
  const { title, body } = toNotificationText(detail, language);
  return worker.registration.showNotification(mailbox === undefined ? title : `${mailbox} · ${title}`, {
    body,
    lang: language,
    // A repeated message replaces the first.
    tag,
    icon: '/icons/app-192.png',
    badge: '/icons/app-192.png',
    data: { path },
  });
};

/** The address of a mailbox's pages, such as `https://app.example.com/m/2/`. */
const toMailboxUrl = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${/^\/m\/\d+(?=\/|$)/.exec(pathname)?.[0] ?? ''}/`;
};

/** Opens an own page, in an open tab of the mailbox if there is one. Never opens other sites. */
const open = async ({ clients, location }: PushReceiver, path: string): Promise<void> => {
  const target = new URL(path, location.origin);
  const url = target.origin === location.origin ? target.href : location.origin;
  const tabs = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url: shown }) => toMailboxUrl(shown) === toMailboxUrl(url));
  if (tab === undefined) {
    await clients.openWindow(url);
    return;
  }
  const focused = await tab.focus();
  // The service worker can't navigate a tab that it does not control.
  if (focused.url !== url) await focused.navigate(url).catch(() => clients.openWindow(url));
};
