import { drip, hang, hangAfterHeaders } from '@mailsweep/ml-client/testing';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { median, type Result, timeMs } from '../measure.ts';
import { type Product, startProduct } from '../product/start-product.ts';
import { SUGGEST_ARCHIVE } from '../product/suggest-archive.ts';
import type { Servers } from '../servers.ts';

/** What the service does when it is dead, and how it comes to that. */
const DEATHS: [what: string, die: (service: Product['classification']) => unknown][] = [
  ['refuses connections', (service) => service.close()],
  ['takes requests and never responds', (service) => service.behave(hang)],
  ['hangs after the headers of its response', (service) => service.behave(hangAfterHeaders)],
  ['sends an endless response slowly', (service) => service.behave(drip)],
];
/** The default last: it takes long to wait for. */
const BUDGETS = [
  { timeoutMs: 1_000, rounds: 7 },
  { timeoutMs: 5_000, rounds: 3 },
];
const MAILBOX_ROUNDS = 21;
const MOST_OVER_MS = 50;

const MAILBOX: MailboxPlan = {
  email: 'ml-dead@example.com',
  seed: 41,
  messages: 60,
  skew: 2,
  unreadShare: 0.5,
  ownLabels: 3,
  attachmentShare: 0.1,
  newestDaysAgo: 0.01,
  days: 10,
};

const measureBudget = (
  servers: Servers,
  { timeoutMs, rounds }: { timeoutMs: number; rounds: number },
): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    await using product = await startProduct({
      databaseUrl: url,
      mailboxes: [MAILBOX],
      env: { ML_TIMEOUT_MS: String(timeoutMs) },
    });
    const user = await product.signIn(MAILBOX.email);
    const readMailbox = () => user.ask('/api/v1/emails');
    const suggest = () => user.ask('/api/v1/suggestions');
    await suggest();

    const mailboxTimes: number[] = [];
    for (let round = 0; round < MAILBOX_ROUNDS; round += 1) mailboxTimes.push(await timeMs(readMailbox));
    const mailboxMs = median(mailboxTimes);

    const results: Result[] = [];
    for (const [what, die] of DEATHS) {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        // Without a success in between the circuit would open and respond without a call.
        product.classification.behave(SUGGEST_ARCHIVE);
        await product.classification.reopen();
        await suggest();
        await die(product.classification);
        const answering = async () => {
          const { classified, emails } = await suggest();
          if (classified || emails.length === 0)
            throw new Error('the response is not that of a dead service');
        };
        times.push(await timeMs(answering));
      }
      const ours = median(times);
      const floor = timeoutMs + mailboxMs;
      results.push({
        name: `GET /suggestions, the service ${what}; floor: its budget of ${timeoutMs} ms, the mailbox`,
        unit: 'ms',
        ours,
        floor,
        ratio: ours / floor,
        target: `≤ floor + ${MOST_OVER_MS} ms`,
        isMet: ours <= floor + MOST_OVER_MS,
      });
    }
    return results;
  });

/** How long suggestions take when the classification service is dead, over the budget that it is given. */
export const measureMlDead = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const budget of BUDGETS) results.push(...(await measureBudget(servers, budget)));
  return results;
};
