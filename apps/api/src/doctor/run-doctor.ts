import { parseArgs, styleText } from 'node:util';
import { VERSION } from '@mailsweep/service-kit';
import { CHECKS, type NamedFinding, runChecks } from './checks.ts';
import { createContext, type Environment } from './context.ts';
import type { Status } from './finding.ts';

const MARKS: Record<Status, { sign: string; style: Parameters<typeof styleText>[0] }> = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  error: { sign: '✗', style: 'red' },
  skipped: { sign: '-', style: 'dim' },
};

const SECRET_VARIABLE = /(SECRET|PASSWORD|_KEY(_PREVIOUS)?)$/;
const URL_VARIABLE = /_UR[LI]$/;
/** What an address has before its password: `postgres://user:`. */
const BEFORE_PASSWORD = /:\/\/[^\s/@]*:$/;

/** Texts that are in no other text by chance: others are hidden in addresses alone, or the doctor hides its own words. */
const isDistinct = (secret: string): boolean =>
  secret.length >= 16 || (secret.length >= 8 && /\d/.test(secret) && /[A-Za-z]/.test(secret));

/** A secret, and whether a text ends with what stands before it in an address. */
type Secret = [secret: string, isBefore: (text: string) => boolean];

/** Hides a secret; where it could be a usual word, only in an address. */
const hide = (text: string, [secret, isBefore]: Secret): string =>
  text
    .split(secret)
    .reduce(
      (hidden, part) => `${hidden}${isDistinct(secret) || isBefore(hidden) ? '[hidden]' : secret}${part}`,
    );

/** What must not be shown: values of secret variables, and passwords in addresses. The path of a webhook is secret, too. */
const listSecrets = (env: Environment): Secret[] => {
  const asPassword = (secret: string): Secret => [secret, (text) => BEFORE_PASSWORD.test(text)];
  const secrets = Object.entries(env).flatMap(([name, value = '']): Secret[] => {
    if (SECRET_VARIABLE.test(name)) return [value, value.trim()].map(asPassword);
    if (!URL_VARIABLE.test(name) || !URL.canParse(value)) return [];
    const url = new URL(value);
    const webhook: Secret = [url.pathname + url.search, (text) => text.endsWith(url.host)];
    return [
      ...[url.password, decodeURIComponent(url.password)].map(asPassword),
      ...(name === 'WORKFLOW_WEBHOOK_URL' ? [webhook] : []),
    ];
  });
  return secrets
    .filter(([secret]) => secret !== '' && secret !== '/')
    .toSorted(([a], [b]) => b.length - a.length);
};

/** The last line of defence: no message is made of a secret, but drivers and servers may repeat one. */
const hideSecrets = (text: string, env: Environment): string => listSecrets(env).reduce(hide, text);

interface Summary {
  version: string;
  findings: readonly NamedFinding[];
}

const countByStatus = (findings: readonly NamedFinding[]): Record<Status, number> => {
  const counts = { ok: 0, warning: 0, error: 0, skipped: 0 };
  for (const { status } of findings) counts[status] += 1;
  return counts;
};

/** Findings without what must not be shown. */
const hideInFindings = (findings: readonly NamedFinding[], env: Environment): NamedFinding[] =>
  findings.map(({ message, why, fix, ...others }) => ({
    ...others,
    message: hideSecrets(message, env),
    ...(why && { why: hideSecrets(why, env) }),
    ...(fix && { fix: hideSecrets(fix, env) }),
  }));

const toJson = ({ version, findings }: Summary, env: Environment): string => {
  const counts = countByStatus(findings);
  const shown = hideInFindings(findings, env);
  return `${JSON.stringify({ version, healthy: counts.error === 0, counts, findings: shown }, null, 2)}\n`;
};

const toLines = (finding: NamedFinding, hasColour: boolean): string[] => {
  const { sign, style } = MARKS[finding.status];
  const mark = hasColour ? styleText(style, sign) : sign;
  const { check, message, why, fix, variable } = finding;
  const indent = ' '.repeat(4);
  return [
    `${mark} ${check}: ${message}`,
    ...(why ? [`${indent}Why it matters: ${why}`] : []),
    ...(fix ? [`${indent}What to change: ${variable ? `${variable}. ` : ''}${fix}`] : []),
  ];
};

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const toText = ({ version, findings }: Summary, env: Environment, hasColour: boolean): string => {
  const counts = countByStatus(findings);
  const lines = [
    `Mailsweep ${version}: checks of this installation`,
    '',
    ...hideInFindings(findings, env).flatMap((finding) => toLines(finding, hasColour)),
    '',
    `${countOf(counts.error, 'error')}, ${countOf(counts.warning, 'warning')}, ${counts.ok} ok, ${counts.skipped} skipped.`,
  ];
  return `${lines.join('\n')}\n`;
};

const USAGE = `Usage: doctor [--json]

Checks the installation that the variables of API and worker describe, and says what to change.
Exit code: 0 no error, 1 at least one, 2 wrong usage.
`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  // For npm start: a variable for which it has a value of its own where none is set.
  provided: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** After how long the doctor ends, and how long its checks may always take, in milliseconds. */
const TIMEOUT_MS = 14_000;
const SHORTEST_TIMEOUT_MS = 6_000;

/**
 * Runs all checks and shows what they found.
 *
 * @returns the exit code
 */
export const runDoctor = async (
  words: string[],
  dependencies: {
    env: Environment;
    hasColour: boolean;
    write: (text: string) => void;
    writeError: (text: string) => void;
    /** How long the process took to start, in milliseconds: on a busy machine that is long. */
    startMs?: number;
  },
): Promise<number> => {
  const { env, hasColour, write, writeError } = dependencies;
  let options: { json: boolean; help: boolean; provided: string[] };
  try {
    options = parseArgs({ args: words, options: OPTIONS }).values;
  } catch (cause) {
    writeError(`${cause instanceof Error ? cause.message : cause}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    write(USAGE);
    return 0;
  }
  const timeoutMs = Math.max(TIMEOUT_MS - (dependencies.startMs ?? 0), SHORTEST_TIMEOUT_MS);
  const context = createContext(env, options.provided, timeoutMs);
  const findings = await runChecks(CHECKS, context, timeoutMs);
  // What hangs is closed by the end of the process.
  void context.database.$disconnect();
  const summary = { version: VERSION, findings };
  write(options.json ? toJson(summary, context.env) : toText(summary, context.env, hasColour));
  return findings.some(({ status }) => status === 'error') ? 1 : 0;
};
