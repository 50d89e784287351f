#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { checkService } from './check-service.ts';
import { readOptions, USAGE, UsageError } from './config.ts';
import { toJson } from './report/json.ts';
import { toJunit } from './report/junit.ts';
import { describeResult, summarize } from './report/text.ts';

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
