import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServers } from '@mailsweep/stack/testing';
import type { TestProject } from 'vitest/node';
import { readSeed } from './config.ts';
import { readTallies, toTable } from './tally.ts';

/** Starts what all scenarios share, and shows at the end how every row fared. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-faults-'));
  const tallyFile = join(folder, 'tallies.jsonl');
  const seed = readSeed(project.config.provide.faultsForm ?? 'short');
  project.provide('faultsSeed', seed);
  project.provide('tallyFile', tallyFile);
  const stopServers = await startTestServers(project);
  return async () => {
    await stopServers();
    process.stdout.write(
      `\n${toTable(readTallies(tallyFile))}\nSeed: ${seed} (repeat with FAULTS_SEED=${seed})\n\n`,
    );
    rmSync(folder, { recursive: true, force: true });
  };
};
