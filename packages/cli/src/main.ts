#!/usr/bin/env node
import process from 'node:process';
import open from 'open';
import { run } from './run.ts';

const interruption = new AbortController();
// Once: a second Ctrl-C ends the process wherever it is.
process.once('SIGINT', () => interruption.abort());
// EPIPE: the reader of the output, such as `head`, has closed it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  openBrowser: (url) => open(url),
  signal: interruption.signal,
});
