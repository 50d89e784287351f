import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { findPython } from '../testing/python.ts';
import { installProject } from './install-project.ts';

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
export const checkUsersOfContracts = (options: {
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

  const javascript = projectIn('javascript');
  installProject(javascript.project, { '@mailsweep/contracts': `file:${archive}` });
  javascript.run('node', '--test');
  say('used the contracts in JavaScript');

  const typescript = projectIn('typescript');
  installProject(typescript.project, { '@mailsweep/contracts': `file:${archive}` });
  typescript.run('tsc', ...STRICT, ...NODE_TYPES, 'contracts.test.ts');
  typescript.run('node', '--test');
  say('used the contracts in TypeScript');

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
