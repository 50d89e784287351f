import type { BehaviourChange } from '@mailsweep/google-sandbox';
import type { Finding } from './check.ts';
import type { CleanUpReport } from './clean-up.ts';

/** All that a run came to. It holds no personal data. */
export interface LiveCheckReport {
  /** A day, such as 2026-05-01. */
  day: string;
  messages: number;
  /** Quota units used by our own count. */
  units: number;
  findings: Finding[];
  /** Settings of the Google sandbox that reproduce what was observed. */
  behaviour: BehaviourChange;
  /** undefined when cleaning up failed. */
  cleanUp: CleanUpReport | undefined;
  /** Why the run ended before its end; undefined when it did not. */
  interrupted: string | undefined;
}

const toCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const toRow = ({ title, expected, observed, verdict }: Finding): string =>
  `| ${[title, expected, observed, verdict].map(toCell).join(' | ')} |`;

const describeCleanUp = (cleanUp: CleanUpReport | undefined): string => {
  if (cleanUp === undefined) return 'Failed: run `npm run live-check -- --clean`.';
  const { messages, drafts, labels, foreignMessages } = cleanUp;
  const done = `${messages} messages moved to the trash, ${drafts} drafts and ${labels} labels deleted.`;
  return foreignMessages === 0
    ? done
    : `${done} ${foreignMessages} messages of others under the label were left alone.`;
};

/** The report as a Markdown file that can be attached to a bug report. */
export const toMarkdown = (report: LiveCheckReport): string => {
  const { day, messages, units, findings, behaviour, cleanUp, interrupted } = report;
  const counts = Map.groupBy(findings, ({ verdict }) => verdict);
  const summary = (['same', 'different', 'unknown', 'failed'] as const)
    .map((verdict) => `${counts.get(verdict)?.length ?? 0} ${verdict}`)
    .join(', ');
  return `${[
    '# Mailsweep live check',
    '',
    `${day}, ${messages} test messages, about ${units} quota units. ${summary}.`,
    ...(interrupted === undefined ? [] : ['', `**Not complete:** ${interrupted}`]),
    '',
    'The report names no account: no addresses, ids, subjects or tokens.',
    '',
    '| checked | expected | observed | verdict |',
    '|---|---|---|---|',
    ...findings.map(toRow),
    '',
    '## Clean-up',
    '',
    describeCleanUp(cleanUp),
    '',
    '## Sandbox settings that reproduce this',
    '',
    '```sh',
    `SANDBOX_BEHAVIOUR='${JSON.stringify(behaviour)}'`,
    '```',
  ].join('\n')}\n`;
};
