import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { readEnvironment } from '../stack-config.ts';
import { parseChangeset, readVersion, writeVersion } from './changelog.ts';
import { dryRun } from './dry-run.ts';

const CHANGELOG = 'CHANGELOG.md';
const CONTRACTS_CHANGELOG = 'packages/contracts/CHANGELOG.md';
const read = (path: string) => readFileSync(path, 'utf8');
const versionOf = (path: string) => (JSON.parse(read(path)) as { version: string }).version;

/**
 * Has Changesets raise the version of every package, and writes the changelog, which it would write into each of them.
 * From now on, the contracts are compared with those of this version.
 */
const raiseVersion = (): void => {
  const changesets = globSync('.changeset/*.md').toSorted().map(read).map(parseChangeset);
  execFileSync('changeset', ['version'], { stdio: 'inherit' });
  const version = versionOf('packages/cli/package.json');
  const root = read('package.json');
  writeFileSync('package.json', root.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(CHANGELOG, writeVersion(read(CHANGELOG), changesets, { version, date }));
  writeFileSync(CONTRACTS_CHANGELOG, writeVersion(read(CONTRACTS_CHANGELOG), [], { version, date }));
  execFileSync('node', ['packages/contracts/scripts/release-schemas.ts'], { stdio: 'inherit' });
};

const [command] = process.argv.slice(2);
switch (command) {
  case 'version':
    raiseVersion();
    break;
  case 'notes':
    process.stdout.write(readVersion(read(CHANGELOG), versionOf('package.json')));
    break;
  case 'dry-run':
    dryRun({ path: readEnvironment().PATH ?? '', say: (line) => process.stdout.write(`${line}\n`) });
    break;
  default:
    throw new Error('Usage: release version | notes | dry-run');
}
