import { dirname, join } from 'node:path';
import process from 'node:process';

/**
 * For a run as a task of turbo: few words, and a report beside the manifest of the package, which the cache keeps. Tests of
 * all packages but the web app run in the root.
 */
export const taskReporters = process.env.TURBO_HASH
  ? {
      reporters: ['minimal', 'json'],
      outputFile: { json: join(dirname(process.env.npm_package_json ?? ''), 'test-results/report.json') },
    }
  : {};
