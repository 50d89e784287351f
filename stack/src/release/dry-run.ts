import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { checkUsersOfContracts } from './contracts-users.ts';
import { installProject } from './install-project.ts';

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
export const dryRun = ({ path, say }: { path: string; say: (line: string) => void }): void => {
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
