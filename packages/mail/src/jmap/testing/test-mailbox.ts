import { randomUUID } from 'node:crypto';
import type { LabelChange } from '@mailsweep/contracts';
import type { AccessTokenSource, Mailbox } from '@mailsweep/mail/mailbox';
import type { ContractServer, DeliveredEmail } from '@mailsweep/mail/mailbox/testing';
import { createManualClock } from '@mailsweep/service-kit/testing';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createJmapMailbox, type JmapMailboxOptions } from '../jmap-mailbox.ts';
import { fromLabels, type Place, readMailboxesNow, toLabels } from '../mailboxes.ts';
import { createJmapClient, type JmapSession } from '../protocol/jmap-client.ts';
import { createJmapConnections } from '../protocol/jmap-connections.ts';
import { queryEmails, setEmails, setMailboxes } from '../protocol/jmap-schemas.ts';
import { readPlaces } from '../read-emails.ts';
import type { CyrusServer } from './cyrus.ts';
import { type FakeJmap, type FakeJmapOptions, startFakeJmap } from './fake-jmap/fake-jmap.ts';

/** A mailbox at a fake server of its own, on a clock by hand and without chance; gone when the test is over. */
export const setUpMailbox = async (
  content: FakeJmapOptions = {},
  options: Partial<JmapMailboxOptions> = {},
) => {
  const server = await startFakeJmap(content);
  onTestFinished(server.close);
  const clock = createManualClock();
  const mailbox = createJmapMailbox({
    server: { sessionUrl: server.sessionUrl },
    accessTokens: toTokens(() => 'token'),
    clock,
    random: () => 0,
    ...options,
  });
  return { mailbox, server, clock };
};

/** Changes emails as an action does: with the labels that were read before. */
export const act = async (mailbox: Mailbox, ids: readonly string[], change: LabelChange) => {
  const { historyId, labels } = await mailbox.readBaseline(ids);
  return await mailbox.changeLabels(
    ids.map((id) => ({ id, ...change, before: labels.get(id) })),
    historyId,
  );
};

const toTokens = (readToken: () => string): AccessTokenSource => ({
  current: async () => readToken(),
  renew: async () => readToken(),
});

const toFlags = (names: Iterable<string>): Record<string, true> =>
  Object.fromEntries([...names].map((name) => [name, true]));

/** How an email gets into an account: its place, and what the test wants of it. */
type Deliver = (place: Place, email: DeliveredEmail) => Promise<string>;

/** Another client of an account, which speaks JMAP by itself. */
const openContractServer = (
  mailbox: Mailbox,
  inSession: <T>(work: (session: JmapSession) => Promise<T>) => Promise<T>,
  deliver: Deliver,
): ContractServer => ({
  mailbox,
  deliver: (email) =>
    inSession(async (session) => deliver(fromLabels(email.labels, await readMailboxesNow(session)), email)),
  change: (id, change) => inSession((session) => changeElsewhere(session, id, change)),
  async destroy(id) {
    await inSession(({ change }) => change([setEmails({ destroy: [id] })]));
  },
  readLabels: (id) =>
    inSession(async (session) => {
      const { emails } = await readPlaces(session, [id]);
      const place = emails.get(id);
      return place === undefined ? [] : toLabels(place, await readMailboxesNow(session));
    }),
  createLabel: async (name) => `mbx:${await inSession((session) => createMailbox(session, name))}`,
});

const createMailbox = async ({ change }: JmapSession, name: string): Promise<string> => {
  const [result] = await change([setMailboxes({ create: { label: { name } } })]);
  const id = 'created' in result ? result.created?.label?.id : undefined;
  if (id === undefined) throw new Error(`Not created: ${JSON.stringify(result)}`);
  return id;
};

/** Changes labels; an email without another mailbox is left in the archive, as clients do. */
const changeElsewhere = async (session: JmapSession, id: string, { added, removed }: LabelChange) => {
  const mailboxes = await readMailboxesNow(session);
  const { emails } = await readPlaces(session, [id]);
  const place = emails.get(id);
  if (place === undefined) throw new Error('There is no such email');
  const before = toLabels(place, mailboxes);
  const labels = new Set([...before, ...added]).difference(new Set(removed));
  const after = fromLabels([...labels], mailboxes);
  const others = place.keywords.difference(fromLabels(before, mailboxes).keywords);
  const keywords = toFlags([...after.keywords, ...others]);
  const findArchive = async () => mailboxes.idOf('archive') ?? (await createMailbox(session, 'Archive'));
  const mailboxIds = after.mailboxIds.size === 0 ? [await findArchive()] : [...after.mailboxIds];
  const update = { [id]: { mailboxIds: toFlags(mailboxIds), keywords } };
  const [result] = await session.change([setEmails({ update })]);
  if (!('updated' in result) || result.notUpdated?.[id])
    throw new Error(`Not changed: ${JSON.stringify(result)}`);
};

/** Nothing is proven by how long the other client waits: a slow disk alone must not fail a test. */
const OTHER_CLIENT_TIMEOUT_MS = 60_000;

const openSession = (sessionUrl: string, readToken: () => string) =>
  createJmapClient({
    server: { sessionUrl },
    accessTokens: toTokens(readToken),
    connection: createJmapConnections().of('other client'),
    callTimeoutMs: OTHER_CLIENT_TIMEOUT_MS,
    setTimeoutMs: OTHER_CLIENT_TIMEOUT_MS,
    retryBudgetMs: OTHER_CLIENT_TIMEOUT_MS,
    maxResponseBytes: 10_000_000,
    clock: createManualClock(),
    random: () => 0,
  }).withSession;

/** The fake server as the contract of mailboxes needs it. */
export const openFakeServer = async (
  content: FakeJmapOptions = {},
): Promise<ContractServer & { server: FakeJmap }> => {
  const refused = new Set<string>();
  const refuseChange = (id: string) => (refused.has(id) ? 'unheardOf' : undefined);
  const { mailbox, server } = await setUpMailbox({ refuseChange, ...content });
  const deliver: Deliver = async (place, { receivedAt, subject, from, replyTo }) =>
    server.deliver({
      mailboxIds: new Set(place.mailboxIds),
      keywords: new Set(place.keywords),
      receivedAt: receivedAt.toISOString().replace('.000Z', 'Z'),
      headers: [
        ['From', from],
        ['Subject', subject],
      ],
      ...(replyTo !== undefined && { threadId: server.emails.get(replyTo)?.threadId ?? '' }),
    }).id;
  return {
    ...openContractServer(
      mailbox,
      openSession(server.sessionUrl, () => 'token'),
      deliver,
    ),
    refuseChangesOf: (ids) => ids.forEach((id) => void refused.add(id)),
    server,
  };
};

let users = 0;
/** When the newest email of a filled account arrived. */
const FILLED_MS = Date.UTC(2026, 0, 1);

const readAddress = (from: string) => {
  const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(from) ?? [];
  return { name, email };
};

/** An account at a Cyrus, and another client of it. */
export interface CyrusAccount extends ContractServer {
  user: string;
  inSession: ReturnType<typeof openSession>;
  /** Puts many emails of one sender into the inbox, with these keywords; resolves with their ids, the newest first. */
  fill(keywords: readonly (readonly string[])[]): Promise<string[]>;
  /** The mailboxes and keywords of every email, by its id. */
  readAll(): Promise<Map<string, Place>>;
  /** Calls a method, such as `Mailbox/set`; resolves with the arguments of the response. */
  call<T>(name: string, args: Record<string, unknown>): Promise<T>;
}

/** An empty account of its own at a Cyrus. */
export const openCyrusAccount = async (
  cyrus: CyrusServer,
  options: Partial<JmapMailboxOptions> = {},
): Promise<CyrusAccount> => {
  users += 1;
  const user = `user${users}`;
  await cyrus.deliver(user, 'From: Cyrus <cyrus@mail.example>\r\nSubject: Welcome\r\n\r\nhello\r\n');
  const readToken = () => cyrus.tokenOf(user);
  const inSession = openSession(cyrus.sessionUrl, readToken);
  await inSession(async ({ send, change }) => {
    const [{ ids }] = await send([queryEmails({ limit: 10 })]);
    await change([setEmails({ destroy: ids })]);
  });
  const mailbox = createJmapMailbox({
    server: { sessionUrl: cyrus.sessionUrl },
    accessTokens: toTokens(readToken),
    ...options,
  });
  const messageIds = new Map<string, string>();
  const create = async (session: JmapSession, emails: readonly object[]): Promise<string[]> => {
    const [result] = await session.change([setEmails({ create: { ...emails } })]);
    const created = 'created' in result ? result.created : undefined;
    return emails.map((_, index) => {
      const id = created?.[index]?.id;
      if (id === undefined) throw new Error(`Not created: ${JSON.stringify(result)}`);
      return id;
    });
  };
  const toEmail = (place: Place, { receivedAt, subject, from }: DeliveredEmail, messageId: string) => ({
    mailboxIds: toFlags(place.mailboxIds),
    keywords: toFlags(place.keywords),
    receivedAt: receivedAt.toISOString().replace('.000Z', 'Z'),
    from: [readAddress(from)],
    subject,
    messageId: [messageId],
    bodyValues: { text: { value: 'hello' } },
    textBody: [{ partId: 'text', type: 'text/plain' }],
  });
  const deliver: Deliver = (place, delivered) =>
    inSession(async (session) => {
      const messageId = `${randomUUID()}@mail.example`;
      const { replyTo } = delivered;
      const parent = replyTo === undefined ? [] : [messageIds.get(replyTo) ?? ''];
      const email = {
        ...toEmail(place, delivered, messageId),
        ...(parent.length > 0 && { inReplyTo: parent, references: parent }),
      };
      const [id = ''] = await create(session, [email]);
      messageIds.set(id, messageId);
      return id;
    });
  const fill = (keywords: readonly (readonly string[])[]) =>
    inSession(async (session) => {
      const mailboxIds = new Set([(await readMailboxesNow(session)).idOf('inbox') ?? '']);
      const emails = keywords.map((own, index) => {
        const receivedAt = new Date(FILLED_MS - index * 60_000);
        const email = { labels: [], receivedAt, subject: `Offer ${index}`, from: 'News <news@shop.example>' };
        return toEmail({ mailboxIds, keywords: new Set(own) }, email, `${randomUUID()}@mail.example`);
      });
      return await create(session, emails);
    });
  const readAll = () =>
    inSession(async (session) => {
      const [{ ids }] = await session.send([queryEmails({})]);
      return (await readPlaces(session, ids)).emails;
    });
  const call = <T>(name: string, args: Record<string, unknown>): Promise<T> =>
    inSession(async ({ send }) => {
      const [result] = await send([{ name, arguments: args, response: z.unknown() }]);
      return result as T;
    });
  return { ...openContractServer(mailbox, inSession, deliver), user, inSession, fill, readAll, call };
};
