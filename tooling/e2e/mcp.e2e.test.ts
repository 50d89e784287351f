import { join } from 'node:path';
import type { CleanupPlan, CreatedToken } from '@mailsweep/contracts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiSession, signIn } from './src/api-session.ts';
import type { SharedStack } from './src/local-stack.ts';
import { ownUser, shareStack } from './src/shared-stack.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const ARCHIVE = {
  action: 'archive',
  selection: { type: 'filter', category: 'promotions', olderThanDays: 30 },
};

describe.each([
  ['mailsweep mcp', '2025-11-25'],
  ['mailsweep mcp', '2026-07-28'],
  ['/mcp', '2025-11-25'],
  ['/mcp', '2026-07-28'],
] as const)('an assistant at %s, of version %s', (place, version) => {
  test('has a cleanup confirmed by its user, follows it and undoes it', async () => {
    const assistant = await connect(place, version, { scope: 'act' });
    const overview = await call(assistant, 'overview');
    expect(overview).toMatchObject({ mayAct: true, connection: 'active' });
    const plan = await call(assistant, 'plan_cleanup', ARCHIVE);
    const { planId, action, emails } = plan;
    expect(emails).toBeGreaterThan(0);
    expect(await call(assistant, 'run_cleanup', { planId, action, emails })).toMatchObject({
      state: 'awaiting_confirmation',
      processed: 0,
    });
    await session.post<CleanupPlan>(`api/v1/cleanups/${planId}/run`, {});
    const readStatus = () => call(assistant, 'cleanup_status', { planId });
    await expect.poll(readStatus).toMatchObject({ state: 'completed', changed: emails, failed: 0 });
    const { batchId } = await readStatus();
    const undo = () => call(assistant, 'undo', { batchId });
    await expect.poll(undo).toMatchObject({ undone: emails, isRunning: false, failed: 0 });
  });

  test('cannot act with a token that only reads', async () => {
    const assistant = await connect(place, version, { scope: 'read' });
    expect(await call(assistant, 'overview')).toMatchObject({ mayAct: false });
    const { tools } = await assistant.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    await expect(assistant.callTool({ name: 'plan_cleanup', arguments: ARCHIVE })).rejects.toThrow();
  });

  test('gets nothing more once its token is revoked', async () => {
    const assistant = await connect(place, version, { scope: 'act' });
    await call(assistant, 'overview');
    await session.post('auth/logout-everywhere', {});
    await expect(call(assistant, 'overview')).rejects.toThrow(/unauthorized|401/i);
    ({ session } = await signIn(stack.api, USER));
  });
});

const USER = ownUser('ada');
const VERSIONS = {
  '2025-11-25': { mode: 'legacy' },
  '2026-07-28': { mode: { pin: '2026-07-28' } },
} as const;
let stack: SharedStack;
let session: ApiSession;

const connect = async (
  place: 'mailsweep mcp' | '/mcp',
  version: keyof typeof VERSIONS,
  { scope }: { scope: 'read' | 'act' },
) => {
  const { secret } = await session.post<CreatedToken>('api/v1/me/tokens', { name: 'Assistant', scope });
  const transport =
    place === '/mcp'
      ? new StreamableHTTPClientTransport(new URL('/mcp', stack.api), {
          requestInit: { headers: { authorization: `Bearer ${secret}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [PROGRAM, 'mcp'],
          env: { MAILSWEEP_TOKEN: secret, MAILSWEEP_API: stack.api },
        });
  const assistant = new Client({ name: 'e2e', version: '1.0.0' }, { versionNegotiation: VERSIONS[version] });
  await assistant.connect(transport);
  onTestFinished(() => assistant.close());
  return assistant;
};

const call = async (assistant: Client, name: string, args: Record<string, unknown> = {}) => {
  const { structuredContent, isError, content } = await assistant.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as Record<string, unknown>;
};

beforeAll(async () => {
  stack = await shareStack();
  ({ session } = await signIn(stack.api, USER));
});
