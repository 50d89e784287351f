import type { EmailContent, NotificationDetail, NotificationKind } from '@mailsweep/contracts';
import type { TextCipher } from '@mailsweep/message-cache';
import type { LeasedNotification } from './notification.repository.ts';
import { readContent } from './notification-content.ts';

/** Most alerts at a time that are told one by one. */
const MAX_SINGLE_ALERTS = 3;
/** Most emails that a bundle names; a push message holds 4 kB. */
const MAX_NAMED_EMAILS = 3;
/** Longest sender and subject, in characters. */
const MAX_TEXT_LENGTH = 120;

const SCREENS: Record<Exclude<NotificationKind, 'alert'>, string> = {
  digest: '/suggestions',
  attention: '/settings',
  test: '/settings',
};

/** What is told with one message, and the notifications that it stands for. */
export interface Message {
  notifications: LeasedNotification[];
  /** A message with the same tag takes the place of an earlier one. */
  tag: string;
  path: string;
  detail: NotificationDetail;
}

/**
 * Puts notifications into messages. Alerts become one when there are many, or when they waited for the end of quiet hours
 * together. The same notifications always become the same messages.
 *
 * @param showsContent - whether the user wants sender, subject and counts in notifications
 */
export const toMessages = (
  cipher: TextCipher,
  notifications: readonly LeasedNotification[],
  showsContent: boolean,
): Message[] => {
  const alerts = notifications.filter(({ kind }) => kind === 'alert');
  const isBundle =
    alerts.length > MAX_SINGLE_ALERTS || (alerts.length > 1 && alerts.some(({ isHeld }) => isHeld));
  const alertGroups = isBundle ? [alerts] : alerts.map((alert) => [alert]);
  const others = notifications.filter(({ kind }) => kind !== 'alert');
  return [...alertGroups.map(toAlert), ...others.map(toOther)];

  function toAlert(group: LeasedNotification[]): Message {
    const contents = group
      .map((row) => readContent(cipher, { ...row, kind: 'alert' }))
      .filter((content) => content !== undefined);
    const [first] = contents;
    const named = contents.slice(0, MAX_NAMED_EMAILS).map(toShortContent);
    return {
      notifications: group,
      tag: group[0]?.id ?? '',
      path: group.length === 1 && first ? `/inbox?email=${encodeURIComponent(first.emailId)}` : '/inbox',
      detail: {
        kind: 'alert',
        content: showsContent && first ? { count: group.length, emails: named } : null,
      },
    };
  }

  function toOther(row: LeasedNotification): Message {
    const kind = row.kind as Exclude<NotificationKind, 'alert'>;
    const stored = readContent(cipher, { ...row, kind }) ?? null;
    return {
      notifications: [row],
      tag: row.id,
      path: isAboutRule(stored) ? '/rules' : SCREENS[kind],
      detail: { kind, content: showsContent ? stored : null } as NotificationDetail,
    };
  }
};

const isAboutRule = (content: object | null): boolean =>
  content !== null && 'reason' in content && content.reason === 'rule_paused';

const toShortContent = ({ from, subject }: EmailContent): EmailContent => ({
  from: shorten(from),
  subject: shorten(subject),
});

/** By code points, so that no character is cut in two. */
const shorten = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT_LENGTH
    ? text
    : `${characters.slice(0, MAX_TEXT_LENGTH - 1).join('')}…`;
};
