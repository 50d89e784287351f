import type { NotificationDetail, PushMessage } from '@mailsweep/contracts';
import { describe, expect, it, vi } from 'vitest';
import { receivePush } from './receive-push.ts';

const ORIGIN = 'https://mailsweep.example';
const BILL = { from: '"Power Company" <bills@power.example>', subject: 'Your bill' };
const PLAIN = { from: 'bo@example.com', subject: 'Tickets' };

/** A service worker with open tabs. */
const start = (tabUrls: string[] = []) => {
  const listeners = new Map<string, (event: never) => void>();
  const shown: { title: string; options: NotificationOptions }[] = [];
  const opened: string[] = [];
  const tabs = tabUrls.map((url) => ({
    url,
    focus: vi.fn(async () => ({ url, navigate: async (next: string) => void opened.push(next) })),
  }));
  receivePush({
    location: { origin: ORIGIN },
    registration: {
      showNotification: async (title: string, options: NotificationOptions = {}) =>
        void shown.push({ title, options }),
    },
    clients: {
      matchAll: async () => tabs as never,
      openWindow: async (url: string) => void opened.push(url),
    },
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
  });
  const dispatch = async (type: string, event: object) => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one) } as never);
    await Promise.all(work);
  };
  return {
    shown,
    opened,
    tabs,
    push: (message: PushMessage) => dispatch('push', { data: { json: () => message } }),
    async click(path: string) {
      const close = vi.fn();
      await dispatch('notificationclick', { notification: { close, data: { path } } });
      expect(close).toHaveBeenCalledOnce();
    },
  };
};

const show = async (detail: NotificationDetail, language: 'en' | 'de') => {
  const worker = start();
  await worker.push({ tag: 'tag', path: '/inbox', language, detail });
  const [{ title, options } = { title: '', options: {} }] = worker.shown;
  expect(options).toMatchObject({ tag: 'tag', lang: language, data: { path: '/inbox' } });
  return [title, options.body];
};

describe('a push message', () => {
  const alert = (count: number, emails = [BILL]): NotificationDetail => ({
    kind: 'alert',
    content: { count, emails },
  });
  const digest: NotificationDetail = {
    kind: 'digest',
    content: { arrived: 12, cleaned: 0, byRules: 3, waiting: 4 },
  };
  const attention = (content: {
    reason: 'reconnect' | 'rule_paused';
    name?: string;
  }): NotificationDetail => ({
    kind: 'attention',
    content,
  });

  it.each<[string, NotificationDetail, string[], string[]]>([
    ['one email', alert(1), ['Power Company', 'Your bill'], ['Power Company', 'Your bill']],
    [
      'an email without a name',
      alert(1, [PLAIN]),
      ['bo@example.com', 'Tickets'],
      ['bo@example.com', 'Tickets'],
    ],
    [
      'several emails',
      alert(5, [BILL, PLAIN]),
      ['5 important new emails', 'Power Company: Your bill\nbo@example.com: Tickets'],
      ['5 neue wichtige E-Mails', 'Power Company: Your bill\nbo@example.com: Tickets'],
    ],
    [
      'an email without content',
      { kind: 'alert', content: null },
      ['Mailsweep', 'You have important new email.'],
      ['Mailsweep', 'Du hast neue wichtige E-Mails.'],
    ],
    [
      'a digest',
      digest,
      ['Your digest', '12 arrived · 3 cleaned by rules · 4 with suggestions'],
      ['Deine Übersicht', '12 angekommen · 3 von Regeln aufgeräumt · 4 mit Vorschlägen'],
    ],
    [
      'a digest without content',
      { kind: 'digest', content: null },
      ['Your digest', 'See what happened in your mailbox.'],
      ['Deine Übersicht', 'Sieh nach, was in deinem Postfach geschehen ist.'],
    ],
    [
      'an ended connection',
      attention({ reason: 'reconnect' }),
      ['Sign in again', 'The connection to your mailbox has ended. Nothing was lost.'],
      ['Melde dich neu an', 'Die Verbindung zu deinem Postfach ist beendet. Es ist nichts verloren.'],
    ],
    [
      'a paused rule',
      attention({ reason: 'rule_paused', name: 'Bills <bills@power.example>' }),
      ['A rule was paused', 'Bills'],
      ['Eine Regel wurde angehalten', 'Bills'],
    ],
    [
      'a paused rule for a classification',
      attention({ reason: 'rule_paused', name: 'promotions_old' }),
      ['A rule was paused', 'promotions old'],
      ['Eine Regel wurde angehalten', 'promotions old'],
    ],
    [
      'a test',
      { kind: 'test', content: {} },
      ['Mailsweep', 'Notifications work on this device.'],
      ['Mailsweep', 'Benachrichtigungen kommen auf diesem Gerät an.'],
    ],
  ])('about %s is shown in the language of the user', async (_name, detail, english, german) => {
    expect(await show(detail, 'en')).toEqual(english);
    expect(await show(detail, 'de')).toEqual(german);
  });
});

it('a push message of one mailbox of several names it', async () => {
  const worker = start();
  const detail: NotificationDetail = { kind: 'alert', content: { count: 1, emails: [PLAIN] } };
  await worker.push({ tag: 'tag', path: '/m/2/inbox', language: 'en', mailbox: 'Work', detail });
  expect(worker.shown).toMatchObject([
    { title: 'Work · bo@example.com', options: { body: 'Tickets', data: { path: '/m/2/inbox' } } },
  ]);
});

describe('a click on a notification', () => {
  it('leads an open tab of the app there, and leaves those of other sites alone', async () => {
    const worker = start(['https://elsewhere.example/', `${ORIGIN}/settings`]);
    await worker.click('/inbox?email=1');
    expect(worker.tabs.map(({ focus }) => focus.mock.calls.length)).toEqual([0, 1]);
    expect(worker.opened).toEqual([`${ORIGIN}/inbox?email=1`]);
  });

  it('leaves tabs of other mailboxes alone', async () => {
    const worker = start([`${ORIGIN}/inbox`, `${ORIGIN}/m/21/inbox`, `${ORIGIN}/m/2/settings`]);
    await worker.click('/m/2/inbox');
    expect(worker.tabs.map(({ focus }) => focus.mock.calls.length)).toEqual([0, 0, 1]);
    await worker.click('/m/3/inbox');
    expect(worker.opened).toEqual([`${ORIGIN}/m/2/inbox`, `${ORIGIN}/m/3/inbox`]);
  });

  it('only shows a tab that is there already', async () => {
    const worker = start([`${ORIGIN}/settings`]);
    await worker.click('/settings');
    expect(worker.opened).toEqual([]);
  });

  it('opens a tab when there is none', async () => {
    const worker = start();
    await worker.click('/suggestions');
    expect(worker.opened).toEqual([`${ORIGIN}/suggestions`]);
  });

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never opens another site: %s',
    async (path) => {
      const worker = start();
      await worker.click(path);
      expect(worker.opened).toEqual([ORIGIN]);
    },
  );
});
