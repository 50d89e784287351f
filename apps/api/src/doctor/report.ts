import { styleText } from 'node:util';
import type { Environment } from './context.ts';
import type { Status } from './finding.ts';
import type { NamedFinding } from './run-checks.ts';

const MARKS: Record<Status, { sign: string; style: Parameters<typeof styleText>[0] }> = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  error: { sign: '✗', style: 'red' },
  skipped: { sign: '-', style: 'dim' },
};

const SECRET_VARIABLE = /(SECRET|PASSWORD|_KEY(_PREVIOUS)?)$/;
const URL_VARIABLE = /_UR[LI]$/;
/** Shorter texts are in other words by chance. */
const FEWEST_CHARACTERS = 4;

/** What must not be shown: values of secret variables, and passwords in addresses. The path of a webhook is secret, too. */
const listSecrets = (env: Environment): string[] => {
  const secrets = Object.entries(env).flatMap(([name, value = '']) => {
    if (SECRET_VARIABLE.test(name)) return [value, value.trim()];
    if (!URL_VARIABLE.test(name) || !URL.canParse(value)) return [];
    const { password, pathname, search } = new URL(value);
    return [
      password,
      decodeURIComponent(password),
      ...(name === 'WORKFLOW_WEBHOOK_URL' ? [pathname + search] : []),
    ];
  });
  return secrets
    .filter((secret) => secret.length >= FEWEST_CHARACTERS)
    .toSorted((a, b) => b.length - a.length);
};

/** The last line of defence: no message is made of a secret, but drivers and servers may repeat one. */
const hideSecrets = (text: string, env: Environment): string =>
  listSecrets(env).reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text);

export interface Summary {
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

export const toJson = ({ version, findings }: Summary, env: Environment): string => {
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

export const toText = ({ version, findings }: Summary, env: Environment, hasColour: boolean): string => {
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
