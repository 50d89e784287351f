import { EMAIL_CATEGORIES } from '@mailsweep/contracts';
import { type EmailQuery, type InboxCount, type MailboxCounts, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { getAllMailboxes, noteMailboxes, readMailboxes } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { CATEGORY_PROPERTIES, queryEmails } from '../protocol/jmap-schemas.ts';
import { noteRefusal, sendEach } from '../protocol/send-each.ts';
import { toCategoryConditions, toScopeFilter } from './email-filter.ts';
import { eachEmail } from './list-emails.ts';
import { allOf, type EmailFilter } from './search.ts';
import { toCategory } from './to-message-facts.ts';

const UNREAD: EmailFilter = { notKeyword: '$seen' };

/** How many emails each filter finds; undefined where the server does not count (RFC 8620, 5.5), or takes no such filter. */
const countEach = async (
  session: JmapSession,
  filters: readonly EmailFilter[],
): Promise<number[] | undefined> => {
  if (session.connection.refused.has('nesting')) return undefined;
  try {
    const counted = await sendEach(
      session,
      filters.map((filter) => queryEmails({ filter, limit: 1, calculateTotal: true })),
    );
    const totals = counted.flatMap(({ total }) => total ?? []);
    return totals.length === filters.length ? totals : undefined;
  } catch (error) {
    if (!noteRefusal(session, 'nesting', error)) throw error;
    return undefined;
  }
};

/** Counts what a scope lists, by category; each email is read. */
const countListed = async (session: JmapSession, scope: EmailQuery['scope']) => {
  const counts = new Map<string, InboxCount>();
  await eachEmail(session, { scope }, CATEGORY_PROPERTIES, (email, labels) => {
    const category = toCategory(email);
    const { total, unread } = counts.get(category) ?? { total: 0, unread: 0 };
    const isUnread = labels.includes(SYSTEM_LABELS.unread);
    counts.set(category, { total: total + 1, unread: unread + Number(isUnread) });
    return true;
  });
  const sum = (key: keyof InboxCount) => [...counts.values()].reduce((all, count) => all + count[key], 0);
  return { counts, all: { total: sum('total'), unread: sum('unread') } };
};

/** How many emails the inbox has, by the server’s own count. @throws {MailboxError} */
export const countInbox = async (session: JmapSession): Promise<InboxCount> => {
  const [{ list }] = await session.send([getAllMailboxes(['totalEmails', 'unreadEmails'])]);
  const { byId, inboxId } = noteMailboxes(session, list);
  const { totalEmails, unreadEmails } = byId.get(inboxId) ?? {};
  if (totalEmails != null && unreadEmails != null) return { total: totalEmails, unread: unreadEmails };
  return (await countListed(session, 'inbox')).all;
};

export const countEmails = async (session: JmapSession, scope: EmailQuery['scope']): Promise<number> => {
  if (scope === 'inbox') return (await countInbox(session)).total;
  const filter = toScopeFilter(scope, await readMailboxes(session));
  const [total] = (await countEach(session, [filter])) ?? [];
  return total ?? (await countListed(session, scope)).all.total;
};

/** How many emails the inbox and each category have, in one request besides the inbox. @throws {MailboxError} */
export const countMailbox = async (session: JmapSession): Promise<MailboxCounts> => {
  const inbox = await countInbox(session);
  const scope = toScopeFilter('all', await readMailboxes(session));
  const known = EMAIL_CATEGORIES.flatMap((category) => {
    const conditions = toCategoryConditions(category);
    return conditions === undefined ? [] : [{ category, conditions: [scope, ...conditions] }];
  });
  const filters = known.flatMap(({ conditions }) => [allOf(conditions), allOf([...conditions, UNREAD])]);
  const totals = await countEach(session, filters);
  if (totals === undefined) {
    const { counts } = await countListed(session, 'all');
    const categories = known.map(({ category }) => ({
      category,
      total: 0,
      unread: 0,
      ...counts.get(category),
    }));
    return { inbox, categories };
  }
  return {
    inbox,
    categories: known.map(({ category }, index) => ({
      category,
      total: totals[index * 2] ?? 0,
      unread: totals[index * 2 + 1] ?? 0,
    })),
  };
};
