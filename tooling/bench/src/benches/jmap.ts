import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { LabelChange } from '@mailsweep/contracts';
import { createJmapConnections, createJmapMailbox } from '@mailsweep/mail/jmap';
import { type CyrusServer, findMissingCyrus, startCyrus } from '@mailsweep/mail/jmap/testing';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { createStateStores } from '@mailsweep/mail/message-cache';
import { deriveMessageKeys } from '@mailsweep/mail/provider-connection';
import { atMost, type Result, timeMs } from '../measure.ts';
import type { Servers } from '../servers.ts';

const EMAILS = 10_000;
/** As a step of a cleanup takes them. */
const STEP = 1_000;
const CREATED_AT_ONCE = 500;
const PAGE = 100;
const USER = 'bench';
const MOST_REQUESTS = 40;
const LONGEST_MS = 20_000;
/** Between the end of the first step and the most of all later ones. */
const MOST_GROWTH_MB = 64;
const SAMPLE_MS = 20;
const BYTES_PER_MB = 1024 * 1024;
const KEY = Buffer.alloc(32, 3);

/** Fills the user's inbox, as another client would. */
const fillInbox = async (cyrus: CyrusServer): Promise<void> => {
  await cyrus.deliver(USER, 'From: Cyrus <cyrus@mail.example>\r\nSubject: Welcome\r\n\r\nhello\r\n');
  const call = async (name: string, args: object) => {
    const response = await fetch(new URL('/jmap/', cyrus.sessionUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${cyrus.tokenOf(USER)}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        using: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail'],
        methodCalls: [[name, { accountId: USER, ...args }, '0']],
      }),
    });
    const { methodResponses } = (await response.json()) as { methodResponses: [[string, unknown]] };
    return methodResponses[0][1];
  };
  const { list } = (await call('Mailbox/get', { ids: null })) as { list: { id: string; role: string }[] };
  const inbox = list.find(({ role }) => role === 'inbox')?.id ?? '';
  for (let first = 1; first < EMAILS; first += CREATED_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(CREATED_AT_ONCE, EMAILS - first) },
      (_, index) => first + index,
    );
    const create = Object.fromEntries(
      numbers.map((number) => [
        `e${number}`,
        {
          mailboxIds: { [inbox]: true },
          receivedAt: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString().replace('.000Z', 'Z'),
          from: [{ name: `Shop ${number % 300}`, email: `news@shop-${number % 300}.example` }],
          subject: `Offer ${number}`,
          bodyValues: { text: { value: `hello ${number}` } },
          textBody: [{ partId: 'text', type: 'text/plain' }],
        },
      ]),
    );
    const { created } = (await call('Email/set', { create })) as { created?: object };
    if (Object.keys(created ?? {}).length !== numbers.length) throw new Error('The inbox was not filled');
  }
};

/** What some work took: requests over HTTP, time, and the most memory that the process had meanwhile. */
const measure = async (work: () => Promise<unknown>) => {
  let requests = 0;
  let peakBytes = process.memoryUsage.rss();
  const count = () => {
    requests += 1;
  };
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, SAMPLE_MS);
  subscribe('http.client.request.start', count);
  const ms = await timeMs(work).finally(() => {
    clearInterval(sampling);
    unsubscribe('http.client.request.start', count);
  });
  return { requests, ms, peakBytes };
};

/** Takes the steps of a cleanup, or of its undo. */
const changeAll = async (mailbox: Mailbox, ids: readonly string[], change: LabelChange) => {
  let afterFirstBytes = 0;
  let since = await mailbox.readHistoryId();
  const usage = await measure(async () => {
    for (let first = 0; first < ids.length; first += STEP) {
      const step = ids.slice(first, first + STEP);
      const changes = await mailbox.readChangesSince(since);
      if (changes === undefined) throw new Error('The server has forgotten what changed');
      since = changes.historyId;
      const { historyId, labels } = await mailbox.readBaseline(step);
      const requests = step.map((id) => ({ id, ...change, before: labels.get(id) }));
      const outcomes = await mailbox.changeLabels(requests, historyId);
      const isMade = outcomes.every(
        (one) => one.status === 'ok' && one.change && one.change.added.length > 0,
      );
      if (!isMade) throw new Error('Some emails were not changed');
      if (first === 0) afterFirstBytes = process.memoryUsage.rss();
    }
  });
  return { ...usage, growthMb: (usage.peakBytes - afterFirstBytes) / BYTES_PER_MB };
};

/** Archives and restores 10,000 cached emails at a real Cyrus, and reads pages; nothing where Cyrus is missing. */
export const measureJmap = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ database }) => {
    const missing = findMissingCyrus();
    if (missing !== undefined) {
      process.stdout.write(`  skipped: ${missing}\n`);
      return [];
    }
    await using stack = new AsyncDisposableStack();
    const cyrus = await startCyrus();
    stack.defer(() => cyrus.stop());
    await fillInbox(cyrus);
    const userId = randomUUID();
    await database.user.create({ data: { id: userId, providerSubject: userId, email: '' } });
    const token = async () => cyrus.tokenOf(USER);
    const mailbox = createJmapMailbox({
      server: { sessionUrl: cyrus.sessionUrl, accountId: USER },
      accessTokens: { current: token, renew: token },
      connections: createJmapConnections(),
      userId,
      store: createStateStores({ database, ...deriveMessageKeys({ current: KEY }) })(userId),
      onStoreError(error) {
        throw error;
      },
    });

    await mailbox.countInbox();
    const page = await measure(() => mailbox.listEmails({ scope: 'inbox', pageSize: PAGE }));
    const { emails } = await mailbox.listEmailIds({ scope: 'inbox' }, EMAILS);
    const ids = emails.map(({ id }) => id);
    if (ids.length !== EMAILS) throw new Error(`The inbox has ${ids.length} emails`);
    // As a scan does, so that the cache has them all.
    for (let first = 0; first < EMAILS; first += STEP)
      await mailbox.findEmails(ids.slice(first, first + STEP));

    const archived = await changeAll(mailbox, ids, { added: [], removed: ['INBOX'] });
    const { total } = await mailbox.countInbox();
    if (total > 0) throw new Error(`${total} emails are still in the inbox`);
    const [first = ''] = ids;
    const [archive = ''] = [...((await mailbox.readBaseline([first])).labels.get(first) ?? [])].filter(
      (label) => label.startsWith('mbx:'),
    );
    const undone = await changeAll(mailbox, ids, { added: ['INBOX'], removed: [archive] });

    const toResults = (what: string, { requests, ms, growthMb }: typeof archived): Result[] => [
      atMost(MOST_REQUESTS, { name: `JMAP, ${what}`, unit: 'calls', ours: requests }),
      atMost(LONGEST_MS, { name: `JMAP, ${what}`, unit: 'ms', ours: ms }),
      atMost(MOST_GROWTH_MB, {
        name: `JMAP, ${what}, memory after the first step`,
        unit: 'MB',
        ours: growthMb,
      }),
    ];
    return [
      atMost(1, { name: `JMAP, a page of ${PAGE} emails`, unit: 'calls', ours: page.requests }),
      ...toResults(`archive of ${EMAILS} emails`, archived),
      ...toResults(`undo of ${EMAILS} emails`, undone),
    ];
  });
