import { dirname, join } from 'node:path';
import process from 'node:process';

const { TURBO_HASH, npm_package_json = '', npm_lifecycle_event = '' } = process.env;

/**
 * For a run as a task of turbo: few words, and a report beside the manifest of the package, which the cache keeps. It has the
 * name of the task, for two tasks of a package may run at the same time. Tests of all packages but the web app run in the
 * root.
 */
export const taskReporters = TURBO_HASH
  ? {
      reporters: ['minimal', 'json'],
      outputFile: {
        json: join(
          dirname(npm_package_json),
          'test-results',
          `${npm_lifecycle_event.replace(':', '-')}.json`,
        ),
      },
    }
  : {};
