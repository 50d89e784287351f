import type { NotificationDetail, PushLanguage } from '@mailsweep/contracts';

/** What a notification says. */
interface NotificationText {
  title: string;
  body: string;
}

type Content<Kind extends NotificationDetail['kind']> = NonNullable<
  Extract<NotificationDetail, { kind: Kind }>['content']
>;

/** The words of one language. */
interface Words {
  alert: NotificationText;
  alerts: (count: number) => string;
  digest: NotificationText;
  /** What follows each of its numbers. */
  digestOf: Record<keyof Content<'digest'>, string>;
  attention: NotificationText;
  reconnect: NotificationText;
  rulePaused: (name: string) => NotificationText;
  test: NotificationText;
}

/** The service worker is one small file, so these texts are not in the catalogs of the app. */
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

/** The display name of a `From` header, or its address. */
const toName = (from: string): string => {
  const name = from.slice(0, Math.max(0, from.lastIndexOf('<'))).trim();
  return name.replace(/^"(.*)"$/s, '$1') || from;
};

/** Of a rule: the display name of its sender, or its classification in readable letters. */
const toRuleName = (name: string): string => (name.includes('@') ? toName(name) : name.replaceAll('_', ' '));

/** What a notification says in a language. */
export const toNotificationText = (detail: NotificationDetail, language: PushLanguage): NotificationText => {
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
