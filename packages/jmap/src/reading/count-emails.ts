import { EMAIL_CATEGORIES } from '@mailsweep/contracts';
import type { EmailQuery, InboxCount, MailboxCounts } from '@mailsweep/mailbox';
import { readMailboxes } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { getMailboxes, queryEmails } from '../protocol/jmap-methods.ts';
import { sendEach } from '../protocol/send-each.ts';
import { toCategoryFilter, toScopeFilter } from './email-filter.ts';
import { allOf, type EmailFilter } from './search.ts';

const NO_EMAILS: InboxCount = { total: 0, unread: 0 };
const UNREAD: EmailFilter = { notKeyword: '$seen' };

const count = (conditions: EmailFilter[]) =>
  queryEmails({ filter: allOf(conditions), limit: 1, calculateTotal: true });

/** How many emails the inbox has, by the server’s own count. @throws {MailboxError} */
export const countInbox = async (session: JmapSession): Promise<InboxCount> => {
  const inbox = (await readMailboxes(session)).idOf('inbox');
  if (inbox === undefined) return NO_EMAILS;
  const properties = ['id', 'name', 'totalEmails', 'unreadEmails'];
  const [{ list }] = await session.send([getMailboxes({ ids: [inbox], properties })]);
  return { total: list[0]?.totalEmails ?? 0, unread: list[0]?.unreadEmails ?? 0 };
};

/** How many emails a scope has. @throws {MailboxError} */
export const countEmails = async (session: JmapSession, scope: EmailQuery['scope']): Promise<number> => {
  if (scope === 'inbox') return (await countInbox(session)).total;
  const filter = toScopeFilter(scope, await readMailboxes(session));
  const [{ total }] = await session.send([count(filter === undefined ? [] : [filter])]);
  return total ?? 0;
};

/** How many emails the inbox and each category have, in one request besides the inbox. @throws {MailboxError} */
export const countMailbox = async (session: JmapSession): Promise<MailboxCounts> => {
  const scope = toScopeFilter('all', await readMailboxes(session));
  const known = EMAIL_CATEGORIES.flatMap((category) => {
    const filter = toCategoryFilter(category);
    return filter === undefined
      ? []
      : [{ category, conditions: scope === undefined ? [filter] : [scope, filter] }];
  });
  const [inbox, counts] = await Promise.all([
    countInbox(session),
    sendEach(
      session,
      known.flatMap(({ conditions }) => [count(conditions), count([...conditions, UNREAD])]),
    ),
  ]);
  const totalOf = (index: number): number => counts[index]?.total ?? 0;
  return {
    inbox,
    categories: known.map(({ category }, index) => ({
      category,
      total: totalOf(index * 2),
      unread: totalOf(index * 2 + 1),
    })),
  };
};
