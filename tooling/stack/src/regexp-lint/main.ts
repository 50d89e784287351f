import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { createSlowExpressionCheck } from './find-slow-expressions.ts';

/** The code that runs in production. */
const SHIPPED = ['{apps,packages}/*/src/**/*.{ts,tsx}', 'apps/web/server/**/*.ts', 'prisma/src/**/*.ts'];
const NOT_SHIPPED = ['**/*.test.{ts,tsx}', '**/testing/**', 'tooling/google-sandbox/**'];

const findSlowExpressions = createSlowExpressionCheck();
const files = globSync(SHIPPED, { cwd: REPOSITORY, exclude: NOT_SHIPPED });
const findings = files.flatMap((file) =>
  findSlowExpressions(file, readFileSync(join(REPOSITORY, file), 'utf8')).map(
    ({ line, text, reason }) => `${file}:${line} ${text}: ${reason}\n`,
  ),
);
for (const finding of findings) process.stderr.write(finding);
process.stdout.write(`${files.length} files, ${findings.length} regular expressions refused\n`);
process.exitCode = files.length === 0 || findings.length > 0 ? 1 : 0;
