import type { CheckResult, Report } from '../check-service.ts';
import { CLAUSES } from '../clauses.ts';
import type { Finding } from '../finding.ts';
import type { Exchange } from '../service.ts';

/** Longest part of a body that is shown. */
const SHOWN = 300;
const MARKS = { error: '✗', warning: '!', info: 'i' } as const;

const cut = (text: string): string =>
  text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length} characters)`;

const describeExchange = ({ token, body, response, failure, ms }: Exchange): string[] => [
  `    request:  ${token === 'valid' ? '' : `token ${token}, `}${cut(body)}`,
  `    response: ${response === undefined ? failure : `${response.status} ${cut(response.text)}`} (${ms} ms)`,
];

const describeFinding = (finding: Finding): string[] => [
  `  ${MARKS[finding.severity]} ${finding.what}`,
  `    clause:   ${finding.clause}: ${CLAUSES[finding.clause]}`,
  `    change:   ${finding.change}`,
  ...describeExchange(finding.exchange),
];

/** The line of a check, and what it found. */
export const describeResult = ({ name, findings }: CheckResult): string => {
  const worst = (['error', 'warning', 'info'] as const).find((severity) =>
    findings.some((finding) => finding.severity === severity),
  );
  return [`${worst === undefined ? '✓' : MARKS[worst]} ${name}`, ...findings.flatMap(describeFinding)].join(
    '\n',
  );
};

/** What all checks came to. */
export const summarize = ({ conforms, isComplete, results, latency }: Report): string => {
  const count = (severity: Finding['severity']) =>
    results.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;
  const times = Object.entries(latency).map(([size, ms]) => `${size}: ${ms} ms`);
  return [
    ...(times.length > 0 ? [`Slowest response by the number of emails: ${times.join(', ')}`] : []),
    ...(isComplete ? [] : ['No other check was made: a valid request has to get 200 first.']),
    `${conforms ? 'The service conforms' : 'The service does not conform'}: ${results.length} checks, ${count('error')} errors, ${count('warning')} warnings.`,
  ].join('\n');
};
