import { resolve } from 'node:path';
import process from 'node:process';

/** For a run as a task of turbo: few words, and a report in the package's folder, which the cache keeps. */
export const taskReporters = process.env.TURBO_HASH
  ? { reporters: ['minimal', 'json'], outputFile: { json: resolve('test-results/report.json') } }
  : {};
