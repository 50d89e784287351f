import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { readEnvironment } from '../stack-config.ts';
import { findPython } from '../testing/programs.ts';
import { parseChangeset, readVersion, writeVersion } from './changelog.ts';

/** A test for each language, as a team that uses the contracts would write it. */
const TESTS = join(REPOSITORY, 'packages/contracts/consumers');
const STRICT = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--resolveJsonModule'];
const NODE_TYPES = ['--types', 'node', '--typeRoots', join(REPOSITORY, 'node_modules/@types')];

/**
 * Uses the packed contracts as other teams do: in an empty project in JavaScript, one in TypeScript and one in Python,
 * which takes JSON Schemas and fixtures out of the archive. Their tests import schemas, types, fixtures and builders.
 *
 * @param path - where Python is looked for; one without jsonschema is reported, and its project left out
 * @throws where a test fails
 */
const checkUsersOfContracts = (options: {
  archive: string;
  folder: string;
  path: string;
  say: (line: string) => void;
}): void => {
  const { archive, folder, path, say } = options;
  const projectIn = (language: string) => {
    const project = join(folder, language);
    mkdirSync(project);
    cpSync(join(TESTS, language), project, { recursive: true });
    const run = (program: string, ...words: string[]) =>
      execFileSync(program, words, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
    return { project, run };
  };

  for (const [language, title] of [
    ['javascript', 'JavaScript'],
    ['typescript', 'TypeScript'],
  ] as const) {
    const { project, run } = projectIn(language);
    installProject(project, { '@mailsweep/contracts': `file:${archive}` });
    if (language === 'typescript') run('tsc', ...STRICT, ...NODE_TYPES, 'contracts.test.ts');
    run('node', '--test');
    say(`used the contracts in ${title}`);
  }

  const interpreter = findPython({ path, modules: ['jsonschema'] });
  if (interpreter === null) {
    say('did not use the contracts in Python: no python3 with jsonschema');
    return;
  }
  const python = projectIn('python');
  python.run('tar', '-xzf', archive);
  python.run(interpreter, '-m', 'unittest');
  say('used the contracts in Python');
};

/** Makes a folder an npm project with these dependencies, and installs them: archives and what they need of a registry. */
const installProject = (folder: string, dependencies: Record<string, string>): void => {
  // One that depends on another takes its archive, too, for no registry has this version yet.
  const manifest = { name: 'project', private: true, type: 'module', dependencies, overrides: dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const words = 'install --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel error'.split(' ');
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  bin?: Record<string, string>;
}

const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** The packages of the workspace that are published, with their folders. */
const listPublished = (): (Manifest & { folder: string })[] =>
  globSync('{apps,packages}/*/package.json')
    .map((path) => ({ ...readManifest(path), folder: dirname(path) }))
    .filter((manifest) => manifest.private !== true);

/**
 * Packs each package that a release publishes, installs them in an empty project from the archives and a registry,
 * imports them and runs their programs, and has tests of other teams use the contracts: what their users do first.
 *
 * @param path - where programs are looked for
 * @throws where one of these fails
 */
const dryRun = ({ path, say }: { path: string; say: (line: string) => void }): void => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-release-'));
  try {
    const published = listPublished();
    const archives = published.map((manifest) => {
      const destination = join(folder, 'archives', manifest.name);
      mkdirSync(destination, { recursive: true });
      execFileSync('pnpm', ['pack', '--pack-destination', destination], { cwd: manifest.folder });
      const [archive = ''] = globSync(join(destination, '*.tgz'));
      say(`packed ${manifest.name}@${manifest.version}`);
      return [manifest.name, `file:${resolve(archive)}`] as const;
    });
    const project = join(folder, 'project');
    mkdirSync(project);
    installProject(project, Object.fromEntries(archives));
    const inProject = (command: string, ...words: string[]) =>
      execFileSync(command, words, { cwd: project, encoding: 'utf8' });
    for (const { name, version, bin = {} } of published) {
      const installed = readManifest(join(project, 'node_modules', name, 'package.json'));
      if (installed.version !== version) throw new Error(`${name} was installed as ${installed.version}`);
      if (Object.keys(bin).length === 0) {
        const program = `const it = await import(${JSON.stringify(name)}); console.log(Object.keys(it).length)`;
        const exported = Number(inProject('node', '--input-type=module', '--eval', program));
        if (!(exported > 0)) throw new Error(`${name} exports nothing`);
        say(`imported ${name}: ${exported} names`);
      }
      for (const program of Object.keys(bin)) {
        const said = inProject(join('node_modules/.bin', program), '--version').trim();
        if (said !== version) throw new Error(`${program} --version says ${said}`);
        say(`ran ${program} --version: ${said}`);
      }
    }
    const [, contracts = ''] = archives.find(([name]) => name === '@mailsweep/contracts') ?? [];
    checkUsersOfContracts({ archive: contracts.replace('file:', ''), folder, path, say });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

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

const [command, ...others] = process.argv.slice(2);
switch (others.length === 0 && command) {
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
