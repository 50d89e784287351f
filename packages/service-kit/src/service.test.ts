import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const FIXTURE = fileURLToPath(new URL('./testing/service-fixture.ts', import.meta.url));

describe('a service that was started', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'closes everything in reverse order on %s, and ends with code 0',
    async (signal) => {
      const { code, messages } = await run('runs', signal);

      expect(code).toBe(0);
      expect(messages).toEqual(['started', 'closed third', 'closed second', 'closed first', 'stopped']);
    },
  );

  test('closes the rest when one part does not close, and says which', async () => {
    const { code, messages, lines } = await run('close fails', 'SIGTERM');

    expect(code).toBe(0);
    expect(messages).toEqual(['started', 'closed third', 'could not close', 'closed first', 'stopped']);
    expect(lines).toContainEqual(expect.objectContaining({ resource: 'second', level: 50 }));
  });

  test('ends with code 1 when closing takes longer than it may', async () => {
    const { code, messages } = await run('close hangs', 'SIGTERM');

    expect(code).toBe(1);
    expect(messages).toEqual(['started', 'closed third', 'the orderly shutdown took too long']);
  });

  test.each([
    ['throws later', 'SyntaxError'],
    ['rejects later', 'Error'],
  ])('closes everything and ends with code 1 when it %s', async (scenario, type) => {
    const { code, messages, lines } = await run(scenario);

    expect(code).toBe(1);
    expect(messages).toEqual([
      'started',
      'fatal error',
      'closed third',
      'closed second',
      'closed first',
      'stopped',
    ]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 60, err: expect.objectContaining({ type }) }),
    );
  });
});

describe('a service whose start fails', () => {
  test('closes what was opened until then, and ends with code 1', async () => {
    const { code, messages } = await run('start fails');

    expect(code).toBe(1);
    expect(messages).toEqual(['fatal error', 'closed second', 'closed first', 'stopped']);
  });
});

/**
 * Runs the fixture until it ends.
 *
 * @param signal - sent once it has started
 */
const run = async (scenario: string, signal?: NodeJS.Signals) => {
  const child = spawn(process.execPath, [FIXTURE, scenario], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines: { msg: string }[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(JSON.parse(line));
    if (lines.at(-1)?.msg === 'started' && signal !== undefined) child.kill(signal);
  }
  const [code] = await exited;
  return { code: code as number, lines, messages: lines.map(({ msg }) => msg) };
};
