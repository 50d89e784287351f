import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED_FOLDERS = ['node_modules', 'dist', 'generated', 'coverage', '.turbo', 'test-results'];

/** All files below a path, or the path itself where it is a file, in a fixed order. */
const filesBelow = (path) => {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !SKIPPED_FOLDERS.includes(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
};

/** A word that changes when the content of any of these files and folders does. */
export const fingerprintOf = (root, paths) => {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of paths.flatMap((path) => filesBelow(join(root, path)))) {
    hash.update(`\n${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
};

/** The manifests that say what has to be installed. */
export const manifestsOf = (root) => {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const patterns = [
    ...(/^packages:\n((?: +- .*\n)+)/m.exec(workspace)?.[1] ?? '').matchAll(/- ['"]?([^'"\n]+)/g),
  ];
  const folders = patterns.flatMap(([, pattern]) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return existsSync(join(root, parent))
      ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)
      : [];
  });
  return [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.npmrc',
    ...folders.map((folder) => `${folder}/package.json`),
  ];
};
