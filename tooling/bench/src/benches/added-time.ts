import { ML_SUGGEST_PATH, type MlRequestItem } from '@mailsweep/contracts';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { median, type Result, timeMs } from '../measure.ts';
import { type Product, type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

/** How long the provider takes for a call, in milliseconds: what the product itself takes shows best at none. */
const LATENCIES_MS = [0, 70];
const PAGE_SIZE = 25;
const WARM = { warmUp: 10, counted: 40 };
const COLD = { warmUp: 5, counted: 25 };
const MOST_ADDED_MS = 10;
const MOST_TIMES = 1.1;
/** Gmail's fields that the product reads of a message. */
const MESSAGE_FIELDS =
  'id,labelIds,snippet,historyId,sizeEstimate,internalDate,payload(mimeType,filename,headers,body/size,parts)';

/** What the product sends of an email to have it classified. */
const SAMPLE_EMAIL: Omit<MlRequestItem, 'id'> = {
  from: 'News <news@shop.example>',
  subject: 'Subject',
  date: '2026-06-02T06:00:00.000Z',
  isRead: false,
  category: 'promotions',
  attachmentSizeMb: 0,
};

const MAILBOX: Omit<MailboxPlan, 'email'> = {
  seed: 31,
  messages: 1_600,
  skew: 3,
  unreadShare: 0.5,
  ownLabels: 12,
  attachmentShare: 0.1,
  newestDaysAgo: 0.01,
  days: 60,
};

const ROUTES = ['emails', 'suggestions'] as const;
type Route = (typeof ROUTES)[number];

interface BarePage {
  ids: string[];
  nextPageToken: string | undefined;
}

/** The calls that a page needs at the least, made bare: what need not wait for another goes out beside it. */
const createBareCalls = (product: Product, user: SignedIn, historyId: string) => {
  const list = async (token: string | undefined): Promise<BarePage> => {
    const { messages, nextPageToken } = await user.askGmail(
      `messages?labelIds=INBOX&maxResults=${PAGE_SIZE}${token ? `&pageToken=${token}` : ''}`,
    );
    return { ids: messages.map(({ id }: { id: string }) => id), nextPageToken };
  };
  const classify = async (route: Route, ids: string[]) => {
    if (route !== 'suggestions') return;
    const response = await fetch(product.classification.url + ML_SUGGEST_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
      body: JSON.stringify(ids.map((id) => ({ id, ...SAMPLE_EMAIL }))),
    });
    if (!response.ok) throw new Error(`classification responds with ${response.status}`);
    await response.json();
  };
  return {
    list,
    async readWarm(route: Route) {
      const history = `history?startHistoryId=${historyId}&maxResults=500`;
      const [{ ids }] = await Promise.all([list(undefined), user.askGmail(history)]);
      await classify(route, ids);
    },
    async readCold(route: Route, token: string | undefined) {
      const { ids } = await list(token);
      await user.askGmailTogether(ids.map((id) => `messages/${id}?format=full&fields=${MESSAGE_FIELDS}`));
      await classify(route, ids);
    },
  };
};

type Work = () => Promise<unknown>;

const toResult = (name: string, latencyMs: number, times: { ours: number[]; bare: number[] }): Result => {
  const [ours, floor] = [median(times.ours), median(times.bare)];
  const ratio = ours / floor;
  // Where the provider takes no time a ratio would compare the product with nothing.
  const isTimed = latencyMs > 0;
  return {
    name: `${name}, the provider takes ${latencyMs} ms; floor: its calls made bare`,
    unit: 'ms',
    ours,
    floor,
    ratio,
    target: `≤ floor + ${MOST_ADDED_MS} ms${isTimed ? `, ≤ ${MOST_TIMES} × the floor` : ''}`,
    isMet: ours - floor <= MOST_ADDED_MS && (!isTimed || ratio <= MOST_TIMES),
  };
};

/** Does both in turn, round by round, the one first that was second before. */
const inTurn = async (
  rounds: { warmUp: number; counted: number },
  toPair: (round: number) => Record<'ours' | 'bare', Work>,
): Promise<{ ours: number[]; bare: number[] }> => {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds.warmUp + rounds.counted; round += 1) {
    const pair = toPair(round);
    for (const side of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      const spentMs = await timeMs(pair[side]);
      if (round >= rounds.warmUp) times[side].push(spentMs);
    }
  }
  return times;
};

const measureLatency = async (
  databaseUrl: string,
  redisUrl: string | null,
  latencyMs: number,
): Promise<Result[]> => {
  const mailbox = { email: `latency-${latencyMs}@example.com`, ...MAILBOX };
  await using product = await startProduct({
    databaseUrl,
    redisUrl,
    mailboxes: [mailbox],
    sandbox: { latencyMs },
  });
  const user = await product.signIn(mailbox.email);
  const read = (route: Route, token?: string) =>
    user.ask(`/api/v1/${route}?pageSize=${PAGE_SIZE}${token ? `&pageToken=${token}` : ''}`);
  const { historyId } = await user.askGmail('profile');
  const bare = createBareCalls(product, user, historyId);
  await read('emails');

  const results: Result[] = [];
  for (const route of ROUTES) {
    const times = await inTurn(WARM, () => ({ ours: () => read(route), bare: () => bare.readWarm(route) }));
    results.push(toResult(`GET /${route}, page seen before`, latencyMs, times));
  }
  const { nextPageToken } = await bare.list(undefined);
  let token = nextPageToken;
  for (const route of ROUTES) {
    const tokens: string[] = [];
    while (tokens.length < COLD.warmUp + COLD.counted && token !== undefined) {
      tokens.push(token);
      token = (await bare.list(token)).nextPageToken;
    }
    const times = await inTurn(COLD, (round) => ({
      ours: () => read(route, tokens[round]),
      bare: () => bare.readCold(route, tokens[round]),
    }));
    results.push(toResult(`GET /${route}, page never seen`, latencyMs, times));
  }
  return results;
};

/** What the product adds to the calls that a page needs of the provider and the classification service. */
export const measureAddedTime = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const latencyMs of LATENCIES_MS) {
    results.push(
      ...(await servers.withDatabase(({ url }) => measureLatency(url, servers.redisUrl, latencyMs))),
    );
  }
  return results;
};
