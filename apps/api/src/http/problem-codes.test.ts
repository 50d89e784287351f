import { globSync, readFileSync } from 'node:fs';
import { PROBLEM_KINDS } from '@mailsweep/contracts';
import { expect, test } from 'vitest';

const SHARED = 'packages/service-kit/src/http/problem.ts';

test('the API makes its problems from the catalogue alone', () => {
  const sources = globSync('apps/api/src/**/*.ts').filter(
    (path) => !path.endsWith('.test.ts') && !path.endsWith('/problems.ts'),
  );
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.filter((path) => readFileSync(path, 'utf8').includes('new ProblemError('))).toEqual([]);
});

test('the problems that every service makes are in the catalogue, with the same status', () => {
  const made = [...readFileSync(SHARED, 'utf8').matchAll(/new ProblemError\((\d+), '([a-z_]+)'/g)];
  expect(made.length).toBeGreaterThan(4);
  for (const [, status, code] of made)
    expect(PROBLEM_KINDS, code).toMatchObject({ [`${code}`]: { status: Number(status) } });
});
