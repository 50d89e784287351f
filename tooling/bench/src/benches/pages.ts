import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { atMost, atMostTimes, type Result } from '../measure.ts';
import { callsOf, type Product, type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

const LIST_UNITS = 5;
const GET_UNITS = 20;
const HISTORY_UNITS = 2;
const PAGE_SIZE = 100;
const CHANGED_ELSEWHERE = 7;

const MAILBOXES: MailboxPlan[] = [
  {
    email: 'small@example.com',
    seed: 11,
    messages: 130,
    skew: 1,
    unreadShare: 1,
    ownLabels: 0,
    attachmentShare: 0,
    newestDaysAgo: 6,
    days: 100,
  },
  {
    email: 'busy@example.com',
    seed: 12,
    messages: 900,
    skew: 3,
    unreadShare: 0.6,
    ownLabels: 12,
    attachmentShare: 0.2,
    newestDaysAgo: 0.01,
    days: 20,
  },
  {
    email: 'large@example.com',
    seed: 13,
    messages: 5_000,
    skew: 6,
    unreadShare: 0.3,
    ownLabels: 60,
    attachmentShare: 0.05,
    newestDaysAgo: 0.5,
    days: 1_500,
  },
];
const QUERIES = ['', '&unread=true', '&category=promotions', '&olderThan=3'];

interface Page {
  emails: { id: string; labels: string[] }[];
  nextPageToken: string | null;
}

/** Throws where the page shows labels that the mailbox does not have. */
const checkLabels = async (user: SignedIn, page: Page, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    const { labelIds = [] } = await user.askGmail(`messages/${id}?format=minimal`);
    const shown = page.emails.find((email) => email.id === id)?.labels;
    if (JSON.stringify(shown?.toSorted()) !== JSON.stringify(labelIds.toSorted())) {
      throw new Error(`${id} is shown with ${shown} and has ${labelIds}`);
    }
  }
};

const measureMailbox = async (product: Product, plan: MailboxPlan): Promise<Result[]> => {
  const user = await product.signIn(plan.email);
  const read = (query: string, token?: string | null): Promise<Page> =>
    user.ask(`/api/v1/emails?pageSize=${PAGE_SIZE}${query}${token ? `&pageToken=${token}` : ''}`);
  const seen = new Set<string>();
  const worst = { coldUnits: 0, coldFloor: 1, inFlight: 0, warmUnits: 0, warmGets: 0 };

  const measureCold = async (query: string, token?: string | null): Promise<Page> => {
    const { response, usage } = await product.countUsage(() => read(query, token));
    const unseen = response.emails.filter(({ id }) => !seen.has(id)).length;
    for (const { id } of response.emails) seen.add(id);
    const knownUnits = unseen < response.emails.length ? HISTORY_UNITS : 0;
    const floor = LIST_UNITS + GET_UNITS * unseen + knownUnits;
    if (usage.units / floor >= worst.coldUnits / worst.coldFloor) {
      Object.assign(worst, { coldUnits: usage.units, coldFloor: floor });
    }
    worst.inFlight = Math.max(worst.inFlight, usage.peakInFlight);
    return response;
  };
  const measureWarm = async (query: string, token?: string | null): Promise<void> => {
    const { usage } = await product.countUsage(() => read(query, token));
    worst.warmUnits = Math.max(worst.warmUnits, usage.units);
    worst.warmGets = Math.max(worst.warmGets, callsOf(usage, 'messages.get'));
  };

  const { usage: first, response: firstPage } = await product.countUsage(() => read(''));
  worst.inFlight = first.peakInFlight;
  for (const { id } of firstPage.emails) seen.add(id);
  await measureWarm('');
  for (const query of QUERIES) {
    const page = await measureCold(query);
    await measureWarm(query);
    if (page.nextPageToken !== null) {
      await measureCold(query, page.nextPageToken);
      await measureWarm(query, page.nextPageToken);
    }
  }

  const ids = firstPage.emails.slice(0, CHANGED_ELSEWHERE * 3).map(({ id }) => id);
  const elsewhere = ids.filter((_, index) => index % 3 === 0);
  for (const id of elsewhere) await user.askGmail(`messages/${id}/modify`, { addLabelIds: ['STARRED'] });
  const { usage, response } = await product.countUsage(() => read(''));
  await checkLabels(user, response, ids);

  const where = `${plan.messages} mails`;
  const warmFloor = LIST_UNITS + HISTORY_UNITS;
  return [
    atMostTimes(1, {
      name: `first page of 100 ever, ${where}; floor: a list and a get each`,
      unit: 'units',
      ours: first.units,
      floor: LIST_UNITS + GET_UNITS * firstPage.emails.length,
    }),
    atMostTimes(1, {
      name: `further pages, filters, ${where}, the dearest; floor: a list, a get for each unseen, the history for the others`,
      unit: 'units',
      ours: worst.coldUnits,
      floor: worst.coldFloor,
    }),
    atMost(25, { name: `all of these, most at once, ${where}`, unit: 'calls', ours: worst.inFlight }),
    atMostTimes(1, {
      name: `warm page, ${where}, the dearest; floor: a list and the history`,
      unit: 'units',
      ours: worst.warmUnits,
      floor: warmFloor,
    }),
    atMost(0, { name: `warm page, gets, ${where}`, unit: 'calls', ours: worst.warmGets }),
    atMostTimes(1, {
      name: `warm page, labels changed elsewhere, ${where}; floor: a list and the history`,
      unit: 'units',
      ours: usage.units,
      floor: warmFloor,
    }),
    atMost(0, { name: `the same, gets, ${where}`, unit: 'calls', ours: callsOf(usage, 'messages.get') }),
  ];
};

/** What pages cost at the provider, over mailboxes of several sizes and mixes of labels. */
export const measurePages = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    await using product = await startProduct({ databaseUrl: url, mailboxes: MAILBOXES });
    const results: Result[] = [];
    for (const plan of MAILBOXES) results.push(...(await measureMailbox(product, plan)));
    return results;
  });
