import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a folder an npm project with these dependencies, and installs them: archives and what they need of a registry. */
export const installProject = (folder: string, dependencies: Record<string, string>): void => {
  // One that depends on another takes its archive, too, for no registry has this version yet.
  const manifest = { name: 'project', private: true, type: 'module', dependencies, overrides: dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const words = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel',
    'error',
  ];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};
