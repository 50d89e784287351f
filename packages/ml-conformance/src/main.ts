#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { type CheckResult, checkService, type Report } from './check-service.ts';
import { CLAUSES, type Finding } from './clauses.ts';
import { readOptions, USAGE, UsageError } from './config.ts';
import type { Exchange } from './service.ts';

/** Longest text of a report: bodies of 1,000 emails would bury the findings. */
const LONGEST = 2_000;

/** The report for programs: bodies are cut, and a response's text is not repeated as JSON. */
const toJson = (report: Report): string =>
  JSON.stringify(
    report,
    (key, value: unknown) => {
      if (key === 'json') return undefined;
      return typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
    },
    2,
  );

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const toXmlText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').replaceAll(/[&<>"]/g, (character) => ESCAPED[character] ?? '');

/** A test suite for CI, with a test for each check; only errors are failures. */
const toJunit = ({ url, results }: Report): string => {
  const cases = results.map(({ clause, name, findings, ms }) => {
    const failures = findings
      .filter(({ severity }) => severity === 'error')
      .map(
        ({ what, change }) =>
          `<failure message="${toXmlText(what)}">${toXmlText(`${clause}: ${CLAUSES[clause]} Change: ${change}`)}</failure>`,
      );
    return `  <testcase classname="${clause}" name="${toXmlText(name)}" time="${ms / 1_000}">${failures.join('')}</testcase>`;
  });
  const failed = results.filter(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${toXmlText(`contract of ${url}`)}" tests="${results.length}" failures="${failed.length}">`,
    ...cases,
    '</testsuite>\n',
  ].join('\n');
};

/** Longest part of a body that is shown. */
const SHOWN = 300;
const MARKS = { error: '✗', warning: '!', info: 'i' } as const;

const cut = (text: string): string =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;

const describeExchange = ({ token, body, response, failure, ms }: Exchange): string[] => [
  `    request:  ${token === 'valid' ? '' : `token ${token}, `}${cut(body)}`,
  `    response: ${response === undefined ? failure : `${response.status} ${cut(response.text)}`} (${ms} ms)`,
];

const SHOWN_IDS = 3;

const listEmails = ({ emails }: Finding): string => {
  const more = emails.length > SHOWN_IDS ? ` and ${emails.length - SHOWN_IDS} more` : '';
  return emails.length === 0 ? '' : ` (${emails.slice(0, SHOWN_IDS).map(cut).join(', ')}${more})`;
};

const describeFinding = (finding: Finding): string[] => [
  `  ${MARKS[finding.severity]} ${finding.what}${listEmails(finding)}`,
  `    clause:   ${finding.clause}: ${CLAUSES[finding.clause]}`,
  `    change:   ${finding.change}`,
  ...describeExchange(finding.exchange),
];

const describeResult = ({ name, findings, repeated }: CheckResult): string => {
  const worst = (['error', 'warning', 'info'] as const).find((severity) =>
    findings.some((finding) => finding.severity === severity),
  );
  const mark = worst === undefined ? (repeated > 0 ? '-' : '✓') : MARKS[worst];
  const note = repeated > 0 ? ' (has what an earlier check found)' : '';
  return [`${mark} ${name}${note}`, ...findings.flatMap(describeFinding)].join('\n');
};

const summarize = ({ conforms, isComplete, results, latency }: Report): string => {
  const count = (severity: Finding['severity']) =>
    results.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;
  const times = Object.entries(latency).map(([size, ms]) => `${size}: ${ms} ms`);
  return [
    ...(times.length > 0 ? [`Slowest response by the number of emails: ${times.join(', ')}`] : []),
    ...(isComplete ? [] : ['No other check was made: a valid request has to get 200 first.']),
    `${conforms ? 'The service conforms' : 'The service does not conform'}: ${results.length} checks, ${count('error')} errors, ${count('warning')} warnings.`,
  ].join('\n');
};

const run = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    process.stdout.write(options === 'help' ? USAGE : `${manifest.version}\n`);
    return 0;
  }
  const { url, secretFile, budgetMs, isJson, junitFile } = options;
  const secret = secretFile === undefined ? options.secret : readFileSync(secretFile, 'utf8').trim();
  if (!secret)
    throw new UsageError(
      'Set INTERNAL_JWT_SECRET, or give --secret-file: requests need a token that is valid.',
    );
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  const report = await checkService({
    baseUrl: url,
    secret,
    budgetMs,
    onResult: (result) => (isJson ? undefined : say(describeResult(result))),
  });
  if (junitFile !== undefined) writeFileSync(junitFile, toJunit(report));
  say(isJson ? toJson(report) : `\n${summarize(report)}`);
  const isReached =
    report.isComplete || report.results.some(({ findings }) => findings[0]?.exchange.response);
  return isReached ? Number(!report.conforms) : 2;
};

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exitCode = 2;
}
