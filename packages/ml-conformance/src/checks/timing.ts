import { manyEmails, USUAL_EMAILS } from '../emails.ts';
import type { Check, Finding } from '../finding.ts';
import { readSuccess } from '../read-response.ts';
import type { Exchange, Service } from '../service.ts';

const SIZES = [1, 100, 1_000];
const RUNS = 3;
const ABANDONED = 8;
const GIVEN_UP_AFTER_MS = 20;

/** Longest time of a response by the number of emails, in milliseconds. */
export type Latency = Record<number, number>;

/** @param latency - is filled in */
export const timingChecks = (service: Service, latency: Latency): Check[] => [
  ...SIZES.map(
    (size): Check => ({
      clause: 'time-budget',
      name: `${size.toLocaleString('en')} ${size === 1 ? 'email' : 'emails'} within ${service.budgetMs} ms`,
      async run() {
        const emails = manyEmails(size, 'timed');
        const exchanges: Exchange[] = [];
        for (let run = 0; run < RUNS; run += 1) exchanges.push(await service.ask(emails));
        const slowest = exchanges.reduce((a, b) => (b.ms > a.ms ? b : a));
        latency[size] = slowest.ms;
        return judge(slowest, service.budgetMs, size);
      },
    }),
  ),
  {
    clause: 'time-abandoned',
    name: 'requests that were given up do not delay the next',
    async run() {
      const large = manyEmails(1_000, 'abandoned');
      await Promise.all(
        Array.from({ length: ABANDONED }, () => service.ask(large, { giveUpMs: GIVEN_UP_AFTER_MS })),
      );
      const exchange = await service.ask(USUAL_EMAILS);
      const ids = USUAL_EMAILS.map(({ id }) => id);
      if (exchange.ms <= service.budgetMs) return readSuccess(exchange, ids, 'time-abandoned').findings;
      return [
        {
          clause: 'time-abandoned',
          severity: 'error',
          what: `after ${ABANDONED} requests that were given up, the next took ${exchange.ms} ms`,
          change: 'stop work whose connection is closed, or bound how much of it waits',
          exchange,
        },
      ];
    },
  },
];

const judge = (exchange: Exchange, budgetMs: number, size: number): Finding[] => {
  if (exchange.ms <= budgetMs / 2) return [];
  const isLate = exchange.ms > budgetMs;
  return [
    {
      clause: 'time-budget',
      severity: isLate ? 'error' : 'warning',
      what: `${size} emails took ${exchange.ms} ms of ${budgetMs}`,
      change: isLate
        ? 'respond in time, or the email is shown without suggestions'
        : 'leave time for a busy day: more than half of the budget is used',
      exchange,
    },
  ];
};
