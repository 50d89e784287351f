import type { InboxActionResponse, UndoResponse } from '@mailsweep/contracts';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { atMost, atMostTimes, type Result } from '../measure.ts';
import { type Product, type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

/** Gmail's prices: of one change, of one change to up to 1,000 messages, of a page of history. */
const MODIFY_UNITS = 5;
const BATCH_MODIFY_UNITS = 50;
const HISTORY_UNITS = 2;
const LIMIT_FOR_MANY = 60;
const SIZES = [1, 10, 1_000];
/** Every so manieth was archived elsewhere: acting changes nothing of it, and undo must not either. */
const ARCHIVED_ELSEWHERE_EVERY = 7;
const READS_AT_ONCE = 20;

const MAILBOX: Omit<MailboxPlan, 'email'> = {
  seed: 21,
  messages: 1_100,
  skew: 3,
  unreadShare: 0.5,
  ownLabels: 12,
  attachmentShare: 0.1,
  newestDaysAgo: 0.01,
  days: 60,
};
const SEEN = { email: 'seen@example.com', ...MAILBOX };
const UNSEEN = { email: 'unseen@example.com', ...MAILBOX };

type Labels = Map<string, string[]>;

const listIds = async (user: SignedIn): Promise<string[]> => {
  const ids: string[] = [];
  let token = '';
  do {
    const page = await user.askGmail(`messages?maxResults=500&pageToken=${token}`);
    ids.push(...page.messages.map(({ id }: { id: string }) => id));
    token = page.nextPageToken ?? '';
  } while (token !== '');
  return ids;
};

/** Reads the whole mailbox through the product, which caches what it reads. */
const readAllPages = async (user: SignedIn): Promise<void> => {
  let next = '';
  do {
    const { nextPageToken } = await user.ask(`/api/v1/emails?pageSize=100${next}`);
    next = nextPageToken === null ? '' : `&pageToken=${nextPageToken}`;
  } while (next !== '');
};

/** The labels of all messages as Gmail has them. */
const readLabels = async (user: SignedIn, ids: readonly string[]): Promise<Labels> => {
  const labels: Labels = new Map();
  const left = [...ids];
  const readNext = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const message = await user.askGmail(`messages/${id}?format=minimal`);
      // Gmail leaves the field out of a message without labels.
      labels.set(id, (message.labelIds ?? []).toSorted());
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
  return labels;
};

/** @throws when Gmail has anything else than is expected, of these messages or of any other */
const checkLabels = async (user: SignedIn, expected: Labels, when: string): Promise<void> => {
  const present = await readLabels(user, [...expected.keys()]);
  for (const [id, labels] of expected) {
    if (String(present.get(id)) !== String(labels)) {
      throw new Error(`${when}, ${id} has the labels ${present.get(id)} and should have ${labels}`);
    }
  }
};

const archived = (labels: Labels, ids: readonly string[]): Labels =>
  new Map(
    [...labels].map(([id, all]) => [id, ids.includes(id) ? all.filter((label) => label !== 'INBOX') : all]),
  );

const toResult = (name: string, count: number, ours: number, isUndo: boolean): Result => {
  if (count > 10) {
    const floor = BATCH_MODIFY_UNITS;
    const line = { name: `${name}; floor: one batchModify`, unit: 'units' as const, ours };
    return { ...atMost(LIMIT_FOR_MANY, line), floor, ratio: ours / floor };
  }
  return atMostTimes(1, {
    name: `${name}; floor: a modify each${isUndo ? ', the history to see what changed since' : ''}`,
    unit: 'units',
    ours,
    floor: MODIFY_UNITS * count + (isUndo ? HISTORY_UNITS : 0),
  });
};

/** Archives emails and takes that back, with all labels at Gmail compared after each. */
const measureSize = async (
  product: Product,
  user: SignedIn,
  before: Labels,
  options: { size: number; where: string },
): Promise<Result[]> => {
  const { size, where } = options;
  const emailIds = [...before.keys()].slice(0, size);
  const emails = `${size} email${size === 1 ? '' : 's'} ${where}`;
  const acting = await product.countUsage(
    (): Promise<InboxActionResponse> => user.ask('/api/v1/inbox/actions', { action: 'archive', emailIds }),
  );
  if (acting.response.execution !== 'full') throw new Error(`archiving was ${acting.response.execution}`);
  await checkLabels(user, archived(before, emailIds), `after archiving ${emails}`);

  const ids = acting.response.results.flatMap((result) =>
    result.status === 'ok' && result.recordId !== undefined ? [result.recordId] : [],
  );
  const undoing = await product.countUsage(
    (): Promise<UndoResponse> => user.ask('/api/v1/notifications/history/undo', { ids }),
  );
  if (undoing.response.execution !== 'full') throw new Error(`undoing was ${undoing.response.execution}`);
  await checkLabels(user, before, `after undoing ${emails}`);
  return [
    toResult(`archive ${emails}`, size, acting.usage.units, false),
    toResult(`undo archiving ${emails}`, size, undoing.usage.units, true),
  ];
};

/** What it costs at the provider to archive emails and to undo that. */
export const measureActing = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    await using product = await startProduct({ databaseUrl: url, mailboxes: [SEEN, UNSEEN] });
    const results: Result[] = [];

    const reader = await product.signIn(SEEN.email);
    const ids = await listIds(reader);
    await readAllPages(reader);
    for (const id of ids.filter((_, index) => index % ARCHIVED_ELSEWHERE_EVERY === 3)) {
      await reader.askGmail(`messages/${id}/modify`, { removeLabelIds: ['INBOX'] });
    }
    // As a browser does, which shows what it lets people act on.
    await reader.ask('/api/v1/emails?pageSize=100');
    const ofReader = await readLabels(reader, ids);
    for (const size of SIZES) {
      results.push(...(await measureSize(product, reader, ofReader, { size, where: 'seen before' })));
    }

    const stranger = await product.signIn(UNSEEN.email);
    const ofStranger = await readLabels(stranger, await listIds(stranger));
    results.push(...(await measureSize(product, stranger, ofStranger, { size: 1_000, where: 'never seen' })));
    return results;
  });
