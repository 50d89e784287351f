import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import type { CreatedToken } from '@mailsweep/contracts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiSession, signIn } from './src/api-session.ts';
import type { SharedStack } from './src/local-stack.ts';
import { ownUser, shareStack } from './src/shared-stack.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const INSPECTOR = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
);
/** The exit code of the inspector for a call that the tool refused. */
const TOOL_REFUSED = 5;

type Place = 'mailsweep mcp' | '/mcp';
type Era = 'legacy' | 'modern';

/** A client of the protocol that others made. */
interface Assistant {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

/** The official inspector, which connects for each request anew. */
const openInspector = async (place: Place, era: Era, secret: string): Promise<Assistant> => {
  const home = mkdtempSync(join(tmpdir(), 'mailsweep-inspector-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const server =
    place === '/mcp'
      ? ['--server-url', `${stack.api}/mcp`, '--header', `Authorization: Bearer ${secret}`]
      : [
          ...['-e', `MAILSWEEP_TOKEN=${secret}`, '-e', `MAILSWEEP_API=${stack.api}`],
          ...[process.execPath, PROGRAM, 'mcp'],
        ];
  const words = [INSPECTOR, '--cli', ...server, '--protocol-era', era, '--format', 'json'];
  const request = async <T>(...method: string[]): Promise<T> => {
    const run = promisify(execFile)(process.execPath, [...words, ...method], { env: { HOME: home } });
    const { stdout } = await run.catch((error) => {
      if (error.code !== TOOL_REFUSED) throw error;
      return error as { stdout: string };
    });
    return JSON.parse(stdout).result;
  };
  return {
    // Fails where a schema of a tool is one that not every host takes.
    listTools: () => request('--method', 'tools/list', '--strict'),
    callTool: ({ name, arguments: args }) =>
      request('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
  };
};

/** The client of Vercel's AI SDK, which shares no code with the official one. */
const openAiSdk = async (place: Place, era: Era, secret: string): Promise<Assistant> => {
  const assistant = await createMCPClient({
    transport:
      place === '/mcp'
        ? { type: 'http', url: `${stack.api}/mcp`, headers: { Authorization: `Bearer ${secret}` } }
        : new StdioMCPTransport({
            command: process.execPath,
            args: [PROGRAM, 'mcp'],
            env: { MAILSWEEP_TOKEN: secret, MAILSWEEP_API: stack.api },
          }),
    protocolVersionDiscovery: era === 'modern',
  });
  onTestFinished(() => assistant.close());
  return assistant;
};

const CLIENTS = { 'the inspector': openInspector, 'the AI SDK': openAiSdk };

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])('%s', (client) => {
  test.each([
    ['mailsweep mcp', 'legacy'],
    ['mailsweep mcp', 'modern'],
    ['/mcp', 'legacy'],
    ['/mcp', 'modern'],
  ] as const)('at %s, in the %s protocol, plans, waits for the user and undoes', async (place, era) => {
    const { secret } = await session.post<CreatedToken>('api/v1/me/tokens', {
      name: 'Assistant',
      scope: 'act',
    });
    const assistant = await CLIENTS[client](place, era, secret);
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { structuredContent, isError, content } = await assistant.callTool({ name, arguments: args });
      if (isError) throw new Error(JSON.stringify(content));
      return structuredContent as Record<string, unknown>;
    };
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['overview', 'plan_cleanup', 'run_cleanup', 'undo']),
    );
    expect(await call('overview')).toMatchObject({ mayAct: true, connection: 'active' });
    await expect(call('search_emails', { olderThan: 30 })).rejects.toThrow('did you mean olderThanDays?');

    const selection = { type: 'filter', category: 'promotions', olderThanDays: 30 };
    const { planId, action, emails } = await call('plan_cleanup', { action: 'archive', selection });
    expect(emails).toBeGreaterThan(0);
    expect(await call('run_cleanup', { planId, action, emails })).toMatchObject({
      state: 'awaiting_confirmation',
      processed: 0,
    });
    await session.post(`api/v1/cleanups/${planId}/run`, {});
    const readStatus = () => call('cleanup_status', { planId });
    await expect.poll(readStatus).toMatchObject({ state: 'completed', changed: emails, failed: 0 });
    const { batchId } = await readStatus();
    await expect
      .poll(() => call('undo', { batchId }))
      .toMatchObject({ undone: emails, isRunning: false, failed: 0 });
  });
});

let stack: SharedStack;
let session: ApiSession;
beforeAll(async () => {
  stack = await shareStack();
  ({ session } = await signIn(stack.api, ownUser('ada')));
});
