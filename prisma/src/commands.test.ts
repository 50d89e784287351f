import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const COMMANDS = join(import.meta.dirname, 'commands.ts');

test.each([[['rollback', '003']], [['migrate', '--dry-run']], [['undo']], [[]]])(
  'the words %j are refused, and no database is looked for',
  (words) => {
    const { status, stderr } = spawnSync(process.execPath, [COMMANDS, ...words], {
      encoding: 'utf8',
      env: {},
    });
    expect([status, stderr]).toEqual([2, 'Usage: migrate | rollback | seed\n']);
  },
);
