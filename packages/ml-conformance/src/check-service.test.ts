import { afterEach, describe, expect, it } from 'vitest';
import { checkService } from './check-service.ts';
import type { Clause } from './clauses.ts';
import { type Fault, SECRET, startFaultyService } from './testing/faulty-service.ts';

/** So short that what is slow is late, in milliseconds; what is quick may be late, too. */
const SHORT_BUDGET_MS = 500;

const check = async (faults: readonly Fault[], options: { secret?: string; budgetMs?: number } = {}) => {
  service = await startFaultyService(faults, 1.5 * SHORT_BUDGET_MS);
  return checkService({ baseUrl: service.url, secret: SECRET, ...options });
};

const findingsOf = ({ results }: Awaited<ReturnType<typeof check>>) =>
  results.flatMap(({ findings }) => findings);

const errorsOf = (report: Awaited<ReturnType<typeof check>>) =>
  findingsOf(report).filter(({ severity }) => severity === 'error');

describe('a service that keeps the contract', () => {
  it.each<[string, Fault[]]>([
    ['with a list', []],
    ['with a map by id', ['maps by id']],
  ])('%s: nothing is found', async (_form, faults) => {
    const report = await check(faults);
    expect(findingsOf(report)).toEqual([]);
    expect(report.isComplete).toBe(true);
    expect(Object.keys(report.latency)).toEqual(['1', '100', '1000']);
  });
});

describe('a fault is found, and the clause named', () => {
  it.each<[Fault, Clause]>([
    ['no token needed', 'token-required'],
    ['any signature', 'token-signature'],
    ['any algorithm', 'token-algorithm'],
    ['unsigned tokens', 'token-algorithm'],
    ['expired tokens', 'token-expiry'],
    ['tokens without expiry', 'token-expiry'],
    ['any audience', 'token-audience'],
    ['any issuer', 'token-issuer'],
    ['403 instead of 401', 'token-required'],
    ['refuses unknown fields', 'request-unknown-fields'],
    ['crashes on an empty list', 'request-empty'],
    ['crashes on long texts', 'request-text'],
    ['crashes on dates far away', 'request-dates'],
    ['refuses 1,000 emails', 'request-limit'],
    ['crashes on invalid bodies', 'request-invalid'],
    ['accepts invalid bodies', 'request-invalid'],
    ['media type text', 'response-json'],
    ['no JSON', 'response-json'],
    ['another form', 'response-form'],
    ['leaves an email out', 'response-ids'],
    ['an email twice', 'response-ids'],
    ['ids in upper case', 'response-ids'],
    ['mixes requests up', 'response-ids'],
    ['percent as confidence', 'response-suggestion'],
    ['no classification', 'response-suggestion'],
    ['chance', 'response-stable'],
    ['depends on the place', 'response-stable'],
    ['compares with the list', 'response-stable'],
    ['answers a list of one otherwise', 'response-stable'],
    ['crashes on right to left', 'request-text'],
    ['crashes on 1970', 'request-dates'],
  ])('%s: %s', async (fault, clause) => {
    const report = await check([fault]);
    expect(report.conforms).toBe(false);
    expect(errorsOf(report).map((finding) => finding.clause)).toContain(clause);
    expect(errorsOf(report).every(({ what, change }) => what !== '' && change !== '')).toBe(true);
  });

  it.each<[Fault, Clause]>([
    ['slow with many emails', 'time-budget'],
    ['goes on after its caller has left', 'time-abandoned'],
  ])('%s: %s', async (fault, clause) => {
    const report = await check([fault], { budgetMs: SHORT_BUDGET_MS });
    expect(errorsOf(report).map((finding) => finding.clause)).toContain(clause);
  });

  it.each<[Fault, 'warning' | 'info', Clause]>([
    ['twenty suggestions', 'warning', 'response-size'],
    ['shows stack traces', 'warning', 'request-invalid'],
    ['an unknown action', 'info', 'response-suggestion'],
  ])('%s: %s of %s, with which the service still conforms', async (fault, severity, clause) => {
    const report = await check([fault]);
    expect(findingsOf(report).map((finding) => [finding.severity, finding.clause])).toContainEqual([
      severity,
      clause,
    ]);
    expect(errorsOf(report)).toEqual([]);
  });
});

it.each<[Fault, Clause, string[]]>([
  ['crashes on right to left', 'request-text', ['19a1f0c2d3e40002']],
  ['crashes on 1970', 'request-dates', ['19a1f0c2d3e40008']],
])('%s: the finding of the usual emails names clause and email', async (fault, clause, emails) => {
  const { results } = await check([fault]);
  const usual = results.find(({ name }) => name === 'usual emails get 200');
  expect(usual?.findings).toMatchObject([{ clause, emails }]);
  // The emails of all other checks are made of the usual ones.
  expect(
    results.flatMap(({ findings }) => findings.filter((finding) => finding.clause === 'request-fields')),
  ).toEqual([]);
});

it.each<Fault>(['percent as confidence', 'no classification', 'media type text'])(
  '%s: one finding, however many emails and checks have it',
  async (fault) => {
    const report = await check([fault]);
    expect(errorsOf(report)).toHaveLength(1);
    expect(report.results.filter(({ repeated }) => repeated > 0).length).toBeGreaterThan(1);
  },
);

it('checks nothing else where a valid request is refused, and says why', async () => {
  const report = await check([], { secret: 'another secret that is long enough for HS256' });
  expect(report).toMatchObject({ conforms: false, isComplete: false });
  expect(findingsOf(report)).toMatchObject([
    { clause: 'request-fields', what: expect.stringContaining('401') },
  ]);
});

let service: Awaited<ReturnType<typeof startFaultyService>> | undefined;
afterEach(() => service?.close());
