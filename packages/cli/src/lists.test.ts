import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import senderPage from '@mailsweep/contracts/fixtures/sender-page.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { ProblemResponse, serveContract, TOKEN } from './testing/contract-server.ts';
import { runProgram } from './testing/run-program.ts';
import { BATCH, GROUPS } from './testing/samples.ts';

const HOSTILE = '\u001b]0;owned\u0007\u009b31mSale\r\nsecond <sale@example.com>';

const withToken = (api: string) => ({ MAILSWEEP_TOKEN: TOKEN, MAILSWEEP_API: api });

describe('suggestions', () => {
  it('are listed in groups, with the options that the API takes', async () => {
    const { api, calls } = await serveContract({ listSuggestionGroups: () => GROUPS });
    const args = ['suggestions', '--by', 'sender', '--min-acceptance', '0.75', '--limit', '5'];
    const { exitCode, stdout } = await runProgram(args, { env: withToken(api) });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('38');
    expect(stdout).toContain('30 archive, 8 label');
    expect(calls[0]?.query).toMatchObject({ by: 'sender', minAcceptance: 0.75, perPage: 5 });
  });

  it('are one JSON document', async () => {
    const { api } = await serveContract({ listSuggestionGroups: () => GROUPS });
    const { stdout, stderr } = await runProgram(['suggestions', '--json'], { env: withToken(api) });
    const { page: _page, perPage: _perPage, ...rest } = GROUPS;
    expect(JSON.parse(stdout)).toEqual(rest);
    expect(stderr).toBe('');
  });
});

describe('senders', () => {
  it('come from as many pages as are asked for', async () => {
    const all = Array.from({ length: 250 }, (_nothing, index) => ({
      ...senderPage.data[0],
      from: `Sender ${index} <${index}@example.com>`,
    }));
    const { api, calls } = await serveContract({
      listSenders: ({ query }) => {
        const page = Number(query.page ?? 1);
        const perPage = Number(query.perPage);
        const data = all.slice((page - 1) * perPage, page * perPage);
        return { ...senderPage, total: all.length, page, perPage, data };
      },
    });
    const { stdout } = await runProgram(['senders', '--json', '--limit', '120'], { env: withToken(api) });
    const { total, data } = JSON.parse(stdout) as { total: number; data: { from: string }[] };
    expect([total, data.length, data.at(-1)?.from]).toEqual([250, 120, 'Sender 119 <119@example.com>']);
    expect(calls).toHaveLength(2);
  });

  it.each([true, false])('send nothing to a terminal that it obeys (terminal: %s)', async (isTerminal) => {
    const data = [{ ...senderPage.data[0], from: HOSTILE }];
    const { api } = await serveContract({ listSenders: () => ({ ...senderPage, total: 1, data }) });
    const { stdout, stderr } = await runProgram(['senders'], {
      env: { ...withToken(api), NO_COLOR: '1' },
      isTerminal,
    });
    expect(stdout).toContain(']0;owned31mSale second <sale@example.com>');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('are domains on request, by the name of each', async () => {
    const group = { by: 'domain', name: 'shop.example', addresses: 3 } as const;
    const data = [{ ...senderPage.data[0], group }];
    const { api, calls } = await serveContract({ listSenders: () => ({ ...senderPage, total: 1, data }) });
    const { stdout } = await runProgram(['senders', '--by', 'domain'], { env: withToken(api) });
    expect(stdout).toContain('shop.example');
    expect(calls[0]?.query).toMatchObject({ by: 'domain' });
  });

  it('have colours on a terminal alone', async () => {
    const { api } = await serveContract({ listSenders: () => senderPage });
    const env = withToken(api);
    expect((await runProgram(['senders'], { env, isTerminal: true })).stdout).toContain('\u001b[1m');
    expect((await runProgram(['senders'], { env })).stdout).not.toContain('\u001b');
  });
});

it('lists the history by batches, whose ids undo takes', async () => {
  const { api, calls } = await serveContract({
    listActionBatches: () => ({ total: 1, page: 1, perPage: 20, data: [BATCH] }),
  });
  const { exitCode, stdout } = await runProgram(['history', '--undoable'], { env: withToken(api) });
  expect(exitCode).toBe(0);
  expect(stdout).toContain(BATCH.id);
  expect(stdout).toContain('4,200');
  expect(calls[0]?.query).toMatchObject({ undoable: true });
});

it('fits tables to the terminal, and cuts no id', async () => {
  const { api } = await serveContract({
    listActionBatches: () => ({ total: 1, page: 1, perPage: 20, data: [BATCH] }),
    listSenders: () => senderPage,
  });
  const env = { ...withToken(api), NO_COLOR: '1' };
  const senders = await runProgram(['senders'], { env, isTerminal: true, columns: 60 });
  const lines = senders.stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
  expect(senders.stdout).toContain('…');
  const history = await runProgram(['history'], { env, isTerminal: true, columns: 20 });
  expect(history.stdout).toContain(BATCH.id);
  expect((await runProgram(['senders'], { env, columns: 60 })).stdout).not.toContain('…');
});

describe('an error', () => {
  const refuse = () =>
    serveContract({
      listSenders: () => {
        throw new ProblemResponse(
          403,
          'insufficient_scope',
          'This needs\u001b[2J a token with the scope act.',
          {
            'retry-after': '90',
          },
        );
      },
    });

  it('is title and detail, in plain words and without a stack', async () => {
    const { api } = await refuse();
    const { exitCode, stdout, stderr } = await runProgram(['senders'], { env: withToken(api) });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'Title of insufficient_scope: This needs[2J a token with the scope act.\nTry again in 2 min.\nSign in with a wider scope: mailsweep login --scope act\n',
    });
  });

  it('is one line of JSON on stderr with --json', async () => {
    const { api } = await refuse();
    const { stdout, stderr } = await runProgram(['senders', '--json'], { env: withToken(api) });
    expect(stdout).toBe('');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'insufficient_scope',
        title: 'Title of insufficient_scope',
        detail: 'This needs\u001b[2J a token with the scope act.',
        status: 403,
        requestId: 'request-1',
        retryAfterSeconds: 90,
      },
    });
  });

  it('is said of an address that is not that of the API', async () => {
    const page = createServer((_request, response) => response.end('<html>Welcome to the hotel</html>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const api = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const { exitCode, stderr } = await runProgram(['senders'], { env: withToken(api) });
    page.close();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('The response was not understood')]);
  });

  it.each([
    [['nonsense']],
    [['senders', '--limit', '0']],
    [['senders', '--sort', 'smell']],
    [['suggestions', '--min-acceptance', '2']],
    [['senders', '--serach', 'amy']],
    [['senders', 'amy']],
    [['watch', 'of']],
    [['senders', '--search', 'amy', '--search', 'joe']],
    [['cleanup', 'archive', '--category', 'social', '--category', 'forums', '--yes']],
    [['--api', 'http://localhost:1', 'senders', '--api', 'http://localhost:2']],
    [[]],
  ])('of usage ends with 2: %j', async (args) => {
    const { exitCode, stdout, stderr } = await runProgram(args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  it('of usage is JSON, too', async () => {
    const { stderr } = await runProgram(['senders', '--json', '--limit', 'many']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'usage', detail: expect.stringContaining('--limit') },
    });
  });
});

it.each([['--help'], ['cleanup', '--help'], ['--version']])('prints what %s asks for', async (...args) => {
  const { exitCode, stdout, stderr } = await runProgram(args);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).not.toBe('');
});
