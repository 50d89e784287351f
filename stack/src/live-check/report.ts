import type { Finding } from './checks.ts';
import type { CleanUpReport } from './test-messages.ts';

/** All that a run came to. It holds no personal data. */
export interface LiveCheckReport {
  /** A day, such as 2026-05-01. */
  day: string;
  messages: number;
  /** Quota units used by our own count. */
  units: number;
  findings: Finding[];
  /** undefined when cleaning up failed. */
  cleanUp: CleanUpReport | undefined;
  /** Why the run ended before its end; undefined when it did not. */
  interrupted: string | undefined;
}

const toRow = ({ title, expected, observed, verdict }: Finding): string =>
  `| ${[title, expected, observed, verdict].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;

/** What was taken away, in a sentence. */
export const describeCleanUp = (cleanUp: CleanUpReport | undefined): string => {
  if (cleanUp === undefined) return 'Cleaning up failed: run `npm run live-check -- --clean`.';
  const { messages, foreignMessages } = cleanUp;
  const done = `${messages} messages moved to the trash.`;
  return foreignMessages === 0
    ? done
    : `${done} ${foreignMessages} messages of others under the label were left alone.`;
};

/** The report as a Markdown file that can be attached to a bug report. */
export const toMarkdown = (report: LiveCheckReport): string => {
  const { day, messages, units, findings, cleanUp, interrupted } = report;
  return `${[
    '# Mailsweep live check',
    '',
    `${day}, ${messages} test messages, about ${units} quota units.`,
    ...(interrupted === undefined ? [] : ['', `**Not complete:** ${interrupted}`]),
    '',
    'The report names no account: no addresses, ids, subjects or tokens.',
    '',
    '| checked | expected | observed | verdict |',
    '|---|---|---|---|',
    ...findings.map(toRow),
    '',
    describeCleanUp(cleanUp),
  ].join('\n')}\n`;
};
