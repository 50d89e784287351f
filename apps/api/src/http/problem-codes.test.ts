import { globSync, readFileSync } from 'node:fs';
import { MailboxFaultSchema, RECENT_SIGN_IN_REQUIRED } from '@mailsweep/contracts';
import { expect, test } from 'vitest';

const SOURCES = globSync('{apps/api,packages/core,packages/service-kit}/src/**/*.ts').filter(
  (path) => !path.includes('/testing/') && !path.endsWith('.test.ts'),
);
/** Where errors with a code are made; those of the mailbox and of the sign-in have their codes elsewhere. */
const MADE = /new (?:ProblemError\(\s*[\w.]+,|RefusedError\()\s*'([a-z_]+)'/g;

test('docs/INTEGRATION.md says what to do about every code of a problem document', () => {
  const codes = SOURCES.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(MADE)].map(([, code = '']) => code),
  );
  expect(new Set(codes).size).toBeGreaterThan(25);
  const all = new Set([...codes, ...MailboxFaultSchema.exclude(['failed']).options, RECENT_SIGN_IN_REQUIRED]);

  const [, section = ''] = readFileSync('docs/INTEGRATION.md', 'utf8').split('## Handle errors');
  const [table = ''] = section.split('\n## ');
  expect([...all].filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
});
