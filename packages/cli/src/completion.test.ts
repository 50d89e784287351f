import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeConfigFolder, runProgram } from './testing/run-program.ts';

const scriptFor = async (shell: string): Promise<string> => (await runProgram(['completion', shell])).stdout;

/** What bash offers after these words; the last one is begun. */
const completeInBash = async (...words: string[]): Promise<string[]> => {
  const file = join(makeConfigFolder(), 'completion.bash');
  writeFileSync(file, await scriptFor('bash'));
  const line = `COMP_WORDS=(mailsweep ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `source '${file}'; ${line}; _mailsweep; printf '%s\\n' "\${COMPREPLY[@]}"`],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
};

describe('completion', () => {
  it.each([
    [['cle'], ['cleanup']],
    [
      ['rules', 'o'],
      ['on', 'off'],
    ],
    [['rules', 'on', '--y'], ['--yes']],
    [['cleanup', '--json', 're'], ['resume']],
    [['completion', ''], expect.arrayContaining(['bash', 'zsh', 'fish'])],
    [['scan', '--j'], ['--json']],
    [['nonsense', ''], []],
  ])('in bash knows the commands and options: %j', async (words, expected) => {
    expect(await completeInBash(...words)).toEqual(expected);
  });

  it('has each command in each shell, with its description where the shell shows one', async () => {
    const { stdout: help } = await runProgram(['--help']);
    const commands = [...help.matchAll(/^ {2}([a-z]+)(?: .*)? {2,}\S/gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(10);
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await scriptFor(shell);
      for (const command of commands.filter((name) => name !== 'help')) expect(script).toContain(command);
    }
    expect(await scriptFor('zsh')).toContain("'scan:scan the mailbox");
  });

  it.each(['bash', 'zsh', 'fish'])('is a script that %s can read', async (shell) => {
    const { error } = spawnSync(shell, ['--version']);
    // Not every machine has every shell.
    if (error) return;
    const file = join(makeConfigFolder(), 'completion');
    writeFileSync(file, await scriptFor(shell));
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('is JSON on demand, and of no other shell', async () => {
    const { stdout } = await runProgram(['completion', 'fish', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script: await scriptFor('fish') });
    expect((await runProgram(['completion', 'csh'])).exitCode).toBe(2);
  });
});
