import { setTimeout as sleep } from 'node:timers/promises';
import type { ListSendersResponse, Survey } from '@mailsweep/contracts';
import { generateMailbox, type MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { atMost, type Result } from '../measure.ts';
import { startSimulatedMailbox } from '../product/simulated-mailbox.ts';
import { type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

/** What Gmail allows. */
const UNITS_PER_MINUTE = 6_000;
const LATENCY_MS = 60;
const POLL_MS = 250;
const SECOND_MS = 1_000;
const LONGEST_MS = 900 * SECOND_MS;
const LARGEST_SENDERS = 50;
const DAYS = 2_500;
const SKEW = 4;
const UNREAD_SHARE = 0.4;
const EMAIL = 'survey@example.com';

/** Sizes of mailboxes, and how long their surveys may take, in seconds. The sandbox does not hold the larger ones. */
const SANDBOX_SIZES = [
  [1_000, 60],
  [10_000, 60],
] as const;
const SIMULATED_SIZES = [
  [100_000, 60],
  [500_000, 240],
] as const;

const toMailbox = (messages: number): MailboxPlan => ({
  email: EMAIL,
  seed: 61,
  messages,
  skew: SKEW,
  unreadShare: UNREAD_SHARE,
  ownLabels: 0,
  attachmentShare: 0.1,
  newestDaysAgo: 0.1,
  days: DAYS,
});

/** Surveys a user's mailbox, and says when what was known. */
const followSurvey = async (user: SignedIn, size: number, senders: readonly [string, number][]) => {
  const startedMs = performance.now();
  // As the web app does on the first visit.
  await user.ask('/api/v1/suggestions?pageSize=30');
  await user.ask('/api/v1/scans', {});
  const sizes = new Map(senders);
  const largest = senders.map(([, mails]) => mails).toSorted((one, other) => other - one);
  const smallest = largest[LARGEST_SENDERS - 1] ?? 0;
  const above = largest.filter((mails) => mails > smallest).length;
  let firstMs: number | undefined;
  let countedMs: number | undefined;
  let sendersMs: number | undefined;
  for (;;) {
    const survey: Survey = await user.ask('/api/v1/mailbox/survey');
    const { data }: ListSendersResponse = await user.ask('/api/v1/senders?perPage=100');
    const elapsedMs = performance.now() - startedMs;
    const right = data.filter(({ from, mails }) => mails === sizes.get(from));
    const missing = above - right.filter(({ mails }) => mails > smallest).length;
    if (survey.counts.length > 0) firstMs ??= elapsedMs;
    if (survey.unlisted !== null) countedMs ??= elapsedMs;
    if (missing === 0 && right.length >= LARGEST_SENDERS) sendersMs ??= elapsedMs;
    if (survey.state !== 'completed') {
      if (elapsedMs > LONGEST_MS) throw new Error(`the survey is ${JSON.stringify(survey)}`);
      await sleep(POLL_MS);
      continue;
    }
    const total = survey.counts.reduce((sum, count) => sum + count.total, 0);
    if (total !== size) throw new Error(`${total} of ${size} emails were counted`);
    return {
      firstMs: firstMs ?? elapsedMs,
      countedMs: countedMs ?? elapsedMs,
      sendersMs: sendersMs ?? elapsedMs,
      tookMs: elapsedMs,
      units: survey.unitsUsed,
      wrong: data.filter(({ from, mails, read }) => read !== undefined && mails !== sizes.get(from)).length,
      missing,
    };
  }
};

const toResults = (
  size: number,
  seconds: number,
  { firstMs, countedMs, sendersMs, tookMs, units, wrong, missing }: Awaited<ReturnType<typeof followSurvey>>,
): Result[] => {
  const what = `survey of ${size} emails`;
  process.stdout.write(
    `${what}: ${Math.round(firstMs)}, ${Math.round(countedMs)}, ${Math.round(sendersMs)}, ${Math.round(tookMs)} ms, ${units} units, ${wrong} wrong, ${missing} missing\n`,
  );
  return [
    atMost(3 * SECOND_MS, { name: `${what}, first exact counts`, unit: 'ms', ours: firstMs }),
    atMost(seconds * SECOND_MS, { name: `${what}, all counts`, unit: 'ms', ours: countedMs }),
    atMost(seconds * SECOND_MS, {
      name: `${what}, the ${LARGEST_SENDERS} largest senders`,
      unit: 'ms',
      ours: sendersMs,
    }),
    atMost((UNITS_PER_MINUTE * seconds) / 60, { name: what, unit: 'units', ours: units }),
    atMost(0, { name: `${what}, wrong counts of senders`, unit: 'senders', ours: wrong }),
    atMost(2, {
      name: `${what}, missing among the ${LARGEST_SENDERS} largest senders`,
      unit: 'senders',
      ours: missing,
    }),
  ];
};

const measureSandbox = (servers: Servers, size: number, seconds: number): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    const plan = toMailbox(size);
    await using product = await startProduct({
      databaseUrl: url,
      redisUrl: servers.redisUrl,
      workers: 1,
      mailboxes: [plan],
      sandbox: { quotaUnitsPerMinute: UNITS_PER_MINUTE, latencyMs: LATENCY_MS },
    });
    const froms = generateMailbox(plan, Date.now()).messages.map(({ from }) => from);
    const senders = [...Map.groupBy(froms, (from) => from)].map(([from, all]): [string, number] => [
      from,
      all.length,
    ]);
    const user = await product.signIn(EMAIL);
    return toResults(size, seconds, await followSurvey(user, size, senders));
  });

const measureSimulated = (servers: Servers, size: number, seconds: number): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    const gmail = await startSimulatedMailbox(
      { messages: size, senders: 200, skew: SKEW, unreadShare: UNREAD_SHARE, inboxShare: 0.7, days: DAYS },
      { unitsPerMinute: UNITS_PER_MINUTE, latencyMs: LATENCY_MS },
    );
    try {
      await using product = await startProduct({
        databaseUrl: url,
        redisUrl: servers.redisUrl,
        workers: 1,
        mailboxes: [toMailbox(1)],
        sandbox: { quotaUnitsPerMinute: UNITS_PER_MINUTE },
        env: { GMAIL_BASE_URL: gmail.url },
      });
      const user = await product.signIn(EMAIL);
      const followed = await followSurvey(user, size, gmail.countSenders());
      return [
        ...toResults(size, seconds, followed),
        atMost(0, {
          name: `survey of ${size} emails, calls refused`,
          unit: 'calls',
          ours: gmail.readUsage().refused,
        }),
      ];
    } finally {
      await gmail.close();
    }
  });

/** How soon the numbers of a mailbox are known at Gmail's real pace. */
export const measureSurvey = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const [size, seconds] of SANDBOX_SIZES)
    results.push(...(await measureSandbox(servers, size, seconds)));
  for (const [size, seconds] of SIMULATED_SIZES) {
    results.push(...(await measureSimulated(servers, size, seconds)));
  }
  return results;
};
