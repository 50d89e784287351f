import senderPage from '@mailsweep/contracts/fixtures/sender-page.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { ProblemResponse, serveContract, TOKEN } from './testing/contract-server.ts';
import { runProgram } from './testing/run-program.ts';
import { BATCH } from './testing/samples.ts';

const withToken = (api: string) => ({ MAILSWEEP_TOKEN: TOKEN, MAILSWEEP_API: api });

describe('api', () => {
  it('calls an operation with the token, and prints the response', async () => {
    const { api, calls } = await serveContract({
      listSenders: () => senderPage,
      undoActionBatch: () => BATCH,
    });
    for (const path of ['/api/v1/senders?sort=bytes', '/senders?sort=bytes']) {
      // The address may be that of the banner, or that of the documents.
      const { exitCode, stdout } = await runProgram(['api', 'GET', path], {
        env: withToken(`${api}/api/v1/`),
      });
      expect([exitCode, JSON.parse(stdout).total]).toEqual([0, senderPage.total]);
    }
    expect(calls[1]?.query).toMatchObject({ sort: 'bytes' });
    const path = `/notifications/history/batches/${BATCH.id}/undo`;
    for (const args of [['--body', '{}'], ['--body', '-'], []]) {
      const posted = await runProgram(['api', 'POST', path, ...args], { env: withToken(api), input: '{}' });
      expect(posted.exitCode).toBe(0);
    }
  });

  it('reports what the API refuses', async () => {
    const { api } = await serveContract({
      listSenders: () => {
        throw new ProblemResponse(404, 'not_found', 'There is none.');
      },
    });
    const refused = await runProgram(['api', 'GET', '/senders'], { env: withToken(api) });
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('There is none.'),
    });
  });

  it.each([
    [['TRACE', '/me'], 'method'],
    [['GET', 'me'], 'begin with /'],
    [['GET', 'https://evil.example'], 'begin with /'],
    [['POST', '/scans', '--body', '{'], 'JSON'],
  ])('refuses %j, and requests nothing', async (args, message) => {
    const { api, calls } = await serveContract({});
    const { exitCode, stderr } = await runProgram(['api', ...args], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(calls).toEqual([]);
  });
});
