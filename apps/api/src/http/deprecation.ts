import type { Deprecation } from '@mailsweep/contracts';
import type { RequestHandler } from 'express';

const DAY_MS = 24 * 60 * 60 * 1_000;
const SHORTEST_NOTICE_DAYS = 180;

const toTime = (date: string): number => {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) throw new Error(`${date} is not a date such as 2027-01-31.`);
  return time;
};

/**
 * Makes the handler that announces the end of a route with each of its responses.
 *
 * @throws when a date is none, or the sunset leaves clients less than half a year
 */
export const announceDeprecation = ({ since, sunset }: Deprecation): RequestHandler => {
  const [start, end] = [toTime(since), toTime(sunset)];
  if (end - start < SHORTEST_NOTICE_DAYS * DAY_MS) {
    throw new Error(`From ${since} to ${sunset} is less than ${SHORTEST_NOTICE_DAYS} days.`);
  }
  const headers = { deprecation: `@${start / 1_000}`, sunset: new Date(end).toUTCString() };
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
};
