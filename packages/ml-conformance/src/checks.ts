import { isDeepStrictEqual } from 'node:util';
import type { MlRequestItem } from '@mailsweep/contracts';
import { type Check, type Clause, describeResponse, type Finding } from './clauses.ts';
import { EDGE_DATES, HOSTILE_TEXTS, manyEmails, PLAIN_EMAIL, UNUSUAL_IDS, USUAL_EMAILS } from './emails.ts';
import { readSuccess } from './read-response.ts';
import type { Exchange, Service, TokenKind } from './service.ts';

const REFUSED_TOKENS: readonly [kind: TokenKind, clause: Clause, name: string, change: string][] = [
  ['missing', 'token-required', 'no token', 'refuse requests without the header Authorization: Bearer …'],
  ['malformed', 'token-signature', 'a token that was cut short', 'verify the signature'],
  [
    'wrong_secret',
    'token-signature',
    'a token of another secret',
    'verify the signature with INTERNAL_JWT_SECRET',
  ],
  [
    'unsigned',
    'token-algorithm',
    'an unsigned token',
    'accept HS256 alone, not what the token says of itself',
  ],
  ['wrong_algorithm', 'token-algorithm', 'a token with HS512', 'accept HS256 alone'],
  ['expired', 'token-expiry', 'a token that expired an hour ago', 'compare `exp` with the clock'],
  ['no_expiry', 'token-expiry', 'a token without `exp`', 'require `exp`'],
  ['wrong_audience', 'token-audience', 'a token for another audience', 'require the audience `ml`'],
  ['wrong_issuer', 'token-issuer', 'a token of another issuer', 'require the issuer `mailsweep-api`'],
];

export const authenticationChecks = (service: Service): Check[] =>
  REFUSED_TOKENS.map(([token, clause, name, change]) => ({
    clause,
    name: `${name} is refused`,
    async run() {
      const exchange = await service.ask(USUAL_EMAILS, { token });
      if (exchange.response?.status === 401) return [];
      const what = `${name}: expected 401, got ${describeResponse(exchange)}`;
      return [
        { clause, severity: 'error', what, emails: [], change: `${change}; respond with 401`, exchange },
      ];
    },
  }));

const idsOf = (emails: readonly MlRequestItem[]): string[] => emails.map(({ id }) => id);

const MAX_EMAILS = 1_000;

const EMAIL = PLAIN_EMAIL;
const { subject: _, ...WITHOUT_SUBJECT } = EMAIL;

const ACCEPTED: readonly [clause: Clause, name: string, emails: readonly object[]][] = [
  ['request-fields', 'usual emails get 200', USUAL_EMAILS],
  ['request-unknown-fields', 'unknown fields are ignored', [{ ...EMAIL, threadId: 'x', nested: { a: [1] } }]],
  ['request-empty', 'an empty list gets 200', []],
  ['request-limit', '1,000 emails get 200', manyEmails(MAX_EMAILS)],
  ['request-text', 'any text in senders and subjects', HOSTILE_TEXTS],
  ['request-dates', 'dates at the edges', EDGE_DATES],
  ['response-ids', 'unusual ids come back as they are', UNUSUAL_IDS],
];

/** What of an email a service may refuse, with a harmless value, and the clause that it then breaks. */
const PARTS: readonly [clause: Clause, harmless: Partial<MlRequestItem>][] = [
  ['request-text', { from: EMAIL.from, subject: EMAIL.subject }],
  ['request-dates', { date: EMAIL.date }],
  ['response-ids', { id: EMAIL.id }],
];
/** Most emails that are sent alone to find those that are refused. */
const MOST_ALONE = 20;

/** Finds the emails because of which a valid request is refused, and what of them: each alone, then with harmless parts. */
const diagnose = async (
  service: Service,
  emails: readonly MlRequestItem[],
  clause: Clause,
  exchange: Exchange,
): Promise<Finding[]> => {
  const whole = readSuccess(exchange, idsOf(emails), clause).findings;
  if (clause === 'request-unknown-fields') return whole;
  const isTaken = async (email: MlRequestItem) => (await service.ask([email])).response?.status === 200;
  const findings = new Map<Clause, Finding>();
  for (const email of emails.slice(0, MOST_ALONE)) {
    const alone = await service.ask([email]);
    if (alone.response?.status === 200) continue;
    let broken: Clause = clause;
    for (const [part, harmless] of PARTS) {
      if (!(await isTaken({ ...email, ...harmless }))) continue;
      broken = part;
      break;
    }
    const known = findings.get(broken);
    const [finding] = readSuccess(alone, [email.id], broken).findings;
    if (finding)
      findings.set(broken, { ...(known ?? finding), emails: [...(known?.emails ?? []), email.id] });
  }
  // Where each is taken alone, it is their number.
  return findings.size > 0 ? [...findings.values()] : whole;
};

const REFUSED_BODIES: readonly [name: string, body: unknown][] = [
  ['a body that is no JSON', '[{"id": '],
  ['an object', { emails: USUAL_EMAILS }],
  ['a list of texts', ['email']],
  ['an email without a subject', [WITHOUT_SUBJECT]],
  ['a text as isRead', [{ ...EMAIL, isRead: 'no' }]],
  ['a date in words', [{ ...EMAIL, date: 'yesterday' }]],
  ['an unknown category', [{ ...EMAIL, category: 'spam' }]],
];

/** Places in the code of the service: of JavaScript, Python, Java, Go. */
const STACK_TRACE = /:\d{1,6}:\d{1,6}\b|Traceback \(most recent call last\)|\.(?:py|java|go):\d/;

export const inputChecks = (service: Service): Check[] => [
  ...ACCEPTED.map(
    ([clause, name, emails]): Check => ({
      clause,
      name,
      async run() {
        const exchange = await service.ask(emails);
        if (exchange.response?.status !== 200 && emails.length > 0)
          return diagnose(service, emails as readonly MlRequestItem[], clause, exchange);
        const ids = emails.map((email) => String((email as { id?: unknown }).id));
        return readSuccess(exchange, ids, clause).findings;
      },
    }),
  ),
  ...REFUSED_BODIES.map(
    ([name, body]): Check => ({
      clause: 'request-invalid',
      name: `${name} gets 400`,
      async run() {
        const exchange = await service.ask(body);
        const status = exchange.response?.status ?? 0;
        const found = (severity: 'error' | 'warning', what: string, change: string) =>
          [{ clause: 'request-invalid', severity, what, emails: [], change, exchange }] as const;
        if (status < 400 || status >= 500)
          return [
            ...found(
              'error',
              `${name}: expected 400, got ${describeResponse(exchange)}`,
              'check the body before it is used; respond with 400',
            ),
          ];
        if (STACK_TRACE.test(exchange.response?.text ?? ''))
          return [
            ...found(
              'warning',
              `${name}: the response shows a stack trace`,
              'say what is wrong with the body, not where the code failed',
            ),
          ];
        return [];
      },
    }),
  ),
];

const AT_ONCE = 8;
const EMAILS_OF_EACH = 50;

const read = (exchange: Exchange, emails: readonly MlRequestItem[]) =>
  readSuccess(exchange, idsOf(emails), 'request-fields');

export const stabilityChecks = (service: Service): Check[] => {
  /** Compares the suggestions for the usual emails with those for the same emails in other requests. */
  const compare = async (
    requests: readonly (readonly MlRequestItem[])[],
    what: string,
    change: string,
  ): Promise<Finding[]> => {
    const first = read(await service.ask(USUAL_EMAILS), USUAL_EMAILS);
    const changed: string[] = [];
    let shown: Exchange | undefined;
    for (const emails of requests) {
      const exchange = await service.ask(emails);
      const { byId, findings } = read(exchange, emails);
      // What is wrong with a response, other checks say.
      if (findings.some(({ severity }) => severity === 'error')) continue;
      const differing = idsOf(USUAL_EMAILS).filter(
        (id) => byId.has(id) && first.byId.has(id) && !isDeepStrictEqual(first.byId.get(id), byId.get(id)),
      );
      if (differing.length > 0) shown ??= exchange;
      changed.push(...differing);
    }
    if (shown === undefined) return [];
    const emails = [...new Set(changed)];
    return [
      {
        clause: 'response-stable',
        severity: 'error',
        what: `${what} changes the suggestions for an email`,
        emails,
        change,
        exchange: shown,
      },
    ];
  };

  return [
    {
      clause: 'response-stable',
      name: 'the same request gets the same suggestions',
      run: () =>
        compare(
          [USUAL_EMAILS],
          'the same request again',
          'leave chance out of it: fix the seed, or the model’s mode',
        ),
    },
    {
      clause: 'response-stable',
      name: 'the order of the emails does not matter',
      run: () =>
        compare(
          [[...USUAL_EMAILS.slice(1), ...USUAL_EMAILS.slice(0, 1)]],
          'another order',
          'assign suggestions by id, and look at each email alone',
        ),
    },
    {
      clause: 'response-stable',
      name: 'an email alone gets the same suggestions as in a list',
      run: () =>
        compare(
          USUAL_EMAILS.map((email) => [email]),
          'a list of one',
          'look at each email alone, and leave out what is compared with the rest of the list',
        ),
    },
    {
      clause: 'response-stable',
      name: 'other emails in the list do not matter',
      run: () =>
        compare(
          [
            [...manyEmails(EMAILS_OF_EACH, 'other'), ...USUAL_EMAILS],
            [...USUAL_EMAILS, ...HOSTILE_TEXTS],
          ],
          'other emails in the list',
          'look at each email alone, and leave out what is compared with the rest of the list',
        ),
    },
    {
      clause: 'response-ids',
      name: 'requests at the same time are kept apart',
      async run() {
        const requests = Array.from({ length: AT_ONCE }, (_, index) =>
          manyEmails(EMAILS_OF_EACH, `request-${index}`),
        );
        const exchanges = await Promise.all(requests.map((emails) => service.ask(emails)));
        return exchanges.flatMap((exchange, index) => read(exchange, requests[index] ?? []).findings);
      },
    },
  ];
};

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
      const exchange = await service.ask([EMAIL]);
      const ids = [EMAIL.id];
      if (exchange.ms <= service.budgetMs) return readSuccess(exchange, ids, 'time-abandoned').findings;
      return [
        {
          clause: 'time-abandoned',
          severity: 'error',
          what: `after ${ABANDONED} requests that were given up, the next took ${exchange.ms} ms`,
          emails: [],
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
      emails: [],
      change: isLate
        ? 'respond in time, or the email is shown without suggestions'
        : 'leave time for a busy day: more than half of the budget is used',
      exchange,
    },
  ];
};
