/** The Gmail methods whose price in quota units matters here, by their names in the API's reference. */
export const DEFAULT_QUOTA_PRICES = {
  getProfile: 1,
  'history.list': 2,
  'labels.list': 1,
  'labels.get': 1,
  'labels.create': 5,
  'threads.get': 40,
  'messages.list': 5,
  'messages.get': 20,
  'messages.modify': 5,
  'messages.batchModify': 50,
  'messages.trash': 20,
  'messages.untrash': 20,
} as const satisfies Record<string, number>;

/** A request as far as its price goes by it. */
export interface PricedRequest {
  method: 'GET' | 'POST';
  /** Path below the mailbox of the signed-in user. */
  path: string;
}

export type PricedMethod = keyof typeof DEFAULT_QUOTA_PRICES;
/** What each method costs in quota units (Gmail API reference, "Usage limits"; for `threads.get` developer.nylas.com, "gmail-api-quotas"). */
export type QuotaPrices = Readonly<Record<PricedMethod, number>>;

const METHODS: readonly [verb: PricedRequest['method'], path: RegExp, method: PricedMethod][] = [
  ['GET', /^profile$/, 'getProfile'],
  ['GET', /^history$/, 'history.list'],
  ['GET', /^labels$/, 'labels.list'],
  ['GET', /^labels\/[^/]+$/, 'labels.get'],
  ['POST', /^labels$/, 'labels.create'],
  ['GET', /^threads\/[^/]+$/, 'threads.get'],
  ['GET', /^messages$/, 'messages.list'],
  ['GET', /^messages\/[^/]+$/, 'messages.get'],
  ['POST', /^messages\/batchModify$/, 'messages.batchModify'],
  ['POST', /^messages\/[^/]+\/modify$/, 'messages.modify'],
  ['POST', /^messages\/[^/]+\/trash$/, 'messages.trash'],
  ['POST', /^messages\/[^/]+\/untrash$/, 'messages.untrash'],
];

/** The method of the Gmail API that a request calls; undefined for one that we have no price of. */
export const methodOf = ({ method, path }: PricedRequest) =>
  METHODS.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2];

/** What a request costs in quota units. One without a price counts as the dearest of all: rather too much than too little. */
export const priceOf = (request: PricedRequest, prices: QuotaPrices): number => {
  const method = methodOf(request);
  return method === undefined ? Math.max(...Object.values(prices)) : prices[method];
};
