import { text } from 'node:stream/consumers';

/**
 * Licences under which code may go into what we ship (SPDX identifiers). They ask for no more than being named; MPL-2.0 also
 * for the source of its own files where they were changed, which we never do.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Unlicense',
]);

type Report = Record<string, { name: string; versions: string[] }[]>;

/** Whether a licence, or an expression such as `(MIT OR GPL-3.0-only)`, leaves us an allowed choice. */
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/ or /i)
    .some((choice) => choice.split(/ and /i).every((license) => ALLOWED.has(license)));

// The output of `pnpm licenses list --prod --json`.
const report = JSON.parse(await text(process.stdin)) as Report;
const refused = Object.entries(report).filter(([license]) => !isAllowed(license));
for (const [license, packages] of refused) {
  const names = packages.map(({ name, versions }) => `${name}@${versions.join('|')}`);
  process.stderr.write(`${license}: ${names.join(', ')}\n`);
}
const count = Object.values(report).flat().length;
process.stdout.write(`${count} production packages, ${refused.length} licences not allowed\n`);
process.exitCode = count === 0 || refused.length > 0 ? 1 : 0;
