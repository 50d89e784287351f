import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { priceOf } from '@mailsweep/google-sandbox';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { createRandom } from '@mailsweep/service-kit/testing';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const CATEGORIES = ['PROMOTIONS', 'SOCIAL', 'UPDATES', 'FORUMS'];
const BOUNDARY = 'simulated';
const MAX_RESULTS = 500;

/** What a simulated mailbox has. */
interface SimulatedPlan {
  messages: number;
  senders: number;
  /** How unlike the senders are: the higher, the more the first ones send. */
  skew: number;
  unreadShare: number;
  inboxShare: number;
  /** Days over which all is spread. */
  days: number;
}

const toAddress = (sender: number): string => `news@sender-${sender}.example`;
const toFrom = (sender: number): string => `Sender ${sender} <${toAddress(sender)}>`;
const toId = (index: number): string => index.toString(16).padStart(16, '0');

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
};

/**
 * A mailbox of any size at Gmail that is only listed and read, at Gmail's prices: more than the sandbox holds. It refuses
 * what is beyond the quota of a minute, and counts it.
 */
export const startSimulatedMailbox = async (
  plan: SimulatedPlan,
  limits: { unitsPerMinute: number; latencyMs: number },
) => {
  const random = createRandom(71);
  const nowMs = Date.now();
  const messages = Array.from({ length: plan.messages }, (_, index) => {
    const category = CATEGORIES[Math.floor(random() * (CATEGORIES.length + 1))];
    return {
      sender: Math.floor(plan.senders * random() ** plan.skew),
      receivedAtMs: Math.floor(nowMs - ((index + 1) / plan.messages) * plan.days * DAY_MS),
      labels: [
        ...(random() < plan.inboxShare ? ['INBOX'] : []),
        ...(random() < plan.unreadShare ? ['UNREAD'] : []),
        ...(category === undefined ? [] : [`CATEGORY_${category}`]),
      ],
    };
  });
  type SimulatedMessage = (typeof messages)[number];
  const all = messages.map((message, index) => ({ message, index }));
  const bySender = Map.groupBy(all, ({ message }) => toAddress(message.sender));
  const lists = new Map<string, number[]>();
  const taken: { atMs: number; units: number }[] = [];
  let units = 0;
  let refused = 0;

  const toTest = (term: string): ((message: SimulatedMessage) => boolean) => {
    const [operator = '', value = ''] = term.split(/:(.*)/s);
    const label =
      value === 'inbox' ? 'INBOX' : value === 'unread' ? 'UNREAD' : `CATEGORY_${value.toUpperCase()}`;
    switch (operator) {
      case 'before':
        return ({ receivedAtMs }) => receivedAtMs < Number(value) * 1_000;
      case 'after':
        return ({ receivedAtMs }) => receivedAtMs >= Number(value) * 1_000;
      case '-is':
      case '-category':
        return ({ labels }) => !labels.includes(label);
      case '-in':
        return ({ labels }) => value !== 'inbox' || !labels.includes(label);
      case 'from': {
        const addresses = new Set(value.match(/[^"()]+@[^"()]+/g));
        return ({ sender }) => addresses.has(toAddress(sender));
      }
      default:
        throw new Error(`the simulated mailbox does not know ${term}`);
    }
  };

  const list = (query: URLSearchParams) => {
    const [labelIds, q] = [query.getAll('labelIds'), query.get('q') ?? ''];
    const key = `${labelIds.join()} ${q}`;
    let found = lists.get(key);
    if (found === undefined) {
      const tests = (q.match(/[^\s(]+:\([^)]*\)|\S+/g) ?? []).map(toTest);
      const [, address] = q.match(/from:\("([^"]+)"\)/) ?? [];
      const candidates = address === undefined ? all : (bySender.get(address) ?? []);
      found = candidates
        .filter(
          ({ message }) =>
            labelIds.every((label) => message.labels.includes(label)) && tests.every((test) => test(message)),
        )
        .map(({ index }) => index);
      lists.set(key, found);
    }
    const from = Number(query.get('pageToken') ?? 0);
    const to = from + Math.min(MAX_RESULTS, Number(query.get('maxResults') ?? MAX_RESULTS));
    return {
      messages: found.slice(from, to).map((index) => ({ id: toId(index), threadId: toId(index) })),
      ...(to < found.length && { nextPageToken: String(to) }),
      resultSizeEstimate: 201,
    };
  };

  const read = (id: string) => {
    const message = messages[Number.parseInt(id, 16)];
    if (message === undefined) throw new Error(`there is no message ${id}`);
    return {
      id,
      threadId: id,
      labelIds: message.labels,
      historyId: '1',
      internalDate: String(message.receivedAtMs),
      sizeEstimate: 20_000,
      snippet: 'What there is to read.',
      payload: {
        mimeType: 'text/html',
        headers: [
          { name: 'From', value: toFrom(message.sender) },
          { name: 'Subject', value: 'What there is to read' },
        ],
      },
    };
  };

  const respond = ({ pathname, searchParams }: URL): unknown => {
    const [, collection, id] = pathname.match(/\/users\/me\/(\w+)(?:\/([^/]+))?$/) ?? [];
    if (collection === 'messages') return id === undefined ? list(searchParams) : read(id);
    if (collection === 'profile') return { messagesTotal: plan.messages, historyId: '1' };
    if (collection === 'history') return { historyId: '1' };
    if (collection === 'labels' && id !== undefined) {
      const having = messages.filter(({ labels }) => labels.includes(id));
      const unread = having.filter(({ labels }) => labels.includes('UNREAD'));
      return { id, name: id, messagesTotal: having.length, messagesUnread: unread.length };
    }
    throw new Error(`the simulated mailbox has no ${pathname}`);
  };

  /** Takes the units of a call; whether they were left. */
  const take = (path: string): boolean => {
    const atMs = performance.now();
    while (taken[0] !== undefined && taken[0].atMs <= atMs - MINUTE_MS) taken.shift();
    const { units: price } = priceOf('GET', path);
    const isLeft = taken.reduce((sum, call) => sum + call.units, price) <= limits.unitsPerMinute;
    if (!isLeft) refused += 1;
    else {
      taken.push({ atMs, units: price });
      units += price;
    }
    return isLeft;
  };
  const answer = (target: string): { status: number; json: unknown } => {
    const url = new URL(target, 'http://simulated');
    if (!take(url.pathname)) return { status: 429, json: { error: { code: 429, message: 'quota' } } };
    return { status: 200, json: respond(url) };
  };

  const server = await listenOnLoopback(async (request, response) => {
    const body = await readBody(request);
    await sleep(limits.latencyMs);
    if (request.url?.startsWith('/batch') !== true) {
      const { status, json } = answer(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
      return;
    }
    const parts = [...body.matchAll(/Content-ID: <([^>]+)>[\s\S]*?GET (\S+) HTTP/g)].map(
      ([, id, target = '']) => {
        const { status, json } = answer(target);
        return `--${BOUNDARY}\r\nContent-Type: application/http\r\nContent-ID: <response-${id}>\r\n\r\nHTTP/1.1 ${status} OK\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(json)}\r\n`;
      },
    );
    response.writeHead(200, { 'content-type': `multipart/mixed; boundary=${BOUNDARY}` });
    response.end(`${parts.join('')}--${BOUNDARY}--\r\n`);
  }, 0);

  return {
    url: server.url,
    /** Quota units of all calls so far, and how many calls were refused. */
    readUsage: () => ({ units, refused }),
    /** By the header `From`. */
    countSenders: () =>
      [...Map.groupBy(messages, ({ sender }) => toFrom(sender))].map(([from, sent]): [string, number] => [
        from,
        sent.length,
      ]),
    close: () => server.close(),
  };
};
