import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that goes with the test. */
export const temporaryFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'mailsweep-unit-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
