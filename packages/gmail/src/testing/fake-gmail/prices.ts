import type { RecordedRequest } from './fake-types.ts';

/** Units by method and the part of the path after the user; the first match holds. */
const PRICES: readonly [request: RegExp, units: number][] = [
  [/^GET profile$/, 1],
  [/^GET labels/, 1],
  [/^GET history$/, 2],
  [/^GET messages$/, 5],
  [/^GET messages\//, 20],
  [/^GET threads\//, 40],
  [/^POST messages\/batchModify$/, 50],
  [/^POST messages\/[^/]+\/modify$/, 5],
];
const OTHER_PRICE = 5;

export const priceOf = ({ method, path }: RecordedRequest): number => {
  const request = `${method} ${path.replace(/^.*\/users\/me\//, '')}`;
  return PRICES.find(([pattern]) => pattern.test(request))?.[1] ?? OTHER_PRICE;
};
