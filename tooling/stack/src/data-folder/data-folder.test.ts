import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { dataFolderAt, prepareDataFolder, resetDataFolder } from './data-folder.ts';

const usedFolder = () => {
  const folder = dataFolderAt(join(temporaryFolder(), 'data'));
  prepareDataFolder(folder);
  mkdirSync(join(folder.postgresDir, 'base'), { recursive: true });
  for (const file of [folder.secretsFile, folder.lockFile, `${folder.stackFile}.7.tmp`])
    writeFileSync(file, '');
  return folder;
};

it('deletes everything of a stack but the lock that is held', () => {
  const folder = usedFolder();
  resetDataFolder(folder);
  expect(readdirSync(folder.dir)).toEqual(['stack.lock']);
});

it('deletes nothing from a folder that holds something else', () => {
  const folder = usedFolder();
  writeFileSync(join(folder.dir, 'thesis.tex'), '');
  expect(() => resetDataFolder(folder)).toThrow(/thesis\.tex.*nothing was deleted/);
  expect(existsSync(folder.secretsFile)).toBe(true);
  expect(existsSync(folder.postgresDir)).toBe(true);
});
