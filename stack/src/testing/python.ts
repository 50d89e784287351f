import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The first Python 3 on the path that has all the modules; null when there is none. More than one may be installed, and
 * only that of the system finds the packages of the system.
 */
export const findPython = (options: { path: string; modules: readonly string[] }): string | null => {
  const candidates = options.path.split(delimiter).map((folder) => join(folder, 'python3'));
  const imports = `import ${options.modules.join(', ')}`;
  const hasModules = (python: string) => spawnSync(python, ['-c', imports]).status === 0;
  return candidates.find((python) => existsSync(python) && hasModules(python)) ?? null;
};
