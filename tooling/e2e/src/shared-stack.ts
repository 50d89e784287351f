import { basename, dirname } from 'node:path';
import got from 'got';
import { expect, inject } from 'vitest';
import type { SharedStack } from './local-stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run tells the addresses of the stack that its files share. */
    sharedStack: string;
  }
}

/**
 * The stack that the files of a run share: it starts when the first one asks, and ends with the run. A file that stops a
 * part, needs variables or looks at the whole installation starts one of its own, by `startLocalStack`.
 */
export const shareStack = (): Promise<SharedStack> =>
  got(inject('sharedStack'), { retry: { limit: 0 } }).json();

/**
 * A user of the calling test file alone, whose mailbox is a copy of the named one's in the sandbox.
 *
 * @param attempt - how often the test was tried before: a retry begins with a mailbox that no attempt has changed
 */
export const ownUser = (like: 'ada' | 'grace' | 'katherine' | 'dorothy', attempt = 0): string => {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error('only a test file has users of its own');
  const name = basename(testPath, '.e2e.test.ts');
  const again = attempt > 0 ? `-again-${attempt}` : '';
  return `${like}+${basename(dirname(testPath))}-${name}${again}@example.com`;
};
