import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import type { ActionBatch, CreatedToken } from '@mailsweep/contracts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiSession, signIn } from './src/api-session.ts';
import type { SharedStack } from './src/local-stack.ts';
import { ownUser, shareStack } from './src/shared-stack.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);

describe('the examples', () => {
  test('post a digest of the week to a chat', async () => {
    const posts: unknown[] = [];
    const chat = await startServer((body) => {
      posts.push(body);
      return 'ok';
    });
    const env = { ...(await tokenOf('read')), CHAT_WEBHOOK: chat };
    expect(await run(process.execPath, ['digest/weekly-digest.mjs'], env)).toMatchObject({ exitCode: 0 });
    const words =
      /^\*This week\* \d+ emails cleaned.*\n\*Inbox\* \d+, \d+ of them unread\.\n\*Suggestions\* \d+ emails/;
    expect(posts).toEqual([{ text: expect.stringMatching(words) }]);
  });

  test('clean by script, in Python', async () => {
    const ended = await run('python3', ['clean/clean.py', '--yes'], await tokenOf('act'));
    const { count, batchId } =
      /^completed: (?<count>\d+) archived, 0 failed\.\nTo take it back: mailsweep undo (?<batchId>\S+)$/m.exec(
        ended.stdout,
      )?.groups ?? {};
    expect([ended.exitCode, Number(count)]).toEqual([0, expect.any(Number)]);
    const { data } = await session.get<{ data: ActionBatch[] }>('api/v1/notifications/history/batches');
    expect(data.find((batch) => batch.id === batchId)?.total).toBe(Number(count));
  });

  test('let a language model use the tools', async () => {
    /** What a model would say: it calls a tool, is refused, corrects itself, and answers with what it was told. */
    const says = [
      { tool_calls: [toolCall('search_emails', { unreadOnly: true })] },
      { tool_calls: [toolCall('search_emails', { unread: true })] },
    ];
    const requests: { tools: { function: { name: string } }[]; messages: { content: string }[] }[] = [];
    const model = await startServer((body) => {
      requests.push(body as (typeof requests)[number]);
      const message = says.shift() ?? { content: `It said ${requests.at(-1)?.messages.at(-1)?.content}` };
      return JSON.stringify({ choices: [{ message: { role: 'assistant', ...message } }] });
    });
    const env = { ...(await tokenOf('read')), MODEL_URL: model, MODEL: 'any' };
    const { exitCode, stdout } = await run(
      process.execPath,
      ['assistant/assistant.mjs', 'What is unread?'],
      env,
    );
    expect(exitCode).toBe(0);
    expect(requests[0]?.tools.map((tool) => tool.function.name)).toContain('search_emails');
    expect(requests[1]?.messages.at(-1)?.content).toContain('unreadOnly');
    expect(stdout).toMatch(/^It said .*"emails":\[\{"id"/);
  });
});

const toolCall = (name: string, args: object) => ({
  id: `call-${name}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
});

/** A server that takes JSON, and responds with what the function returns. */
const startServer = async (respond: (body: unknown) => string): Promise<string> => {
  const server = createServer((request, response) => {
    void json(request).then((body) => response.end(respond(body)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const tokenOf = async (scope: 'read' | 'act') => {
  const made = { name: `Example, ${scope}`, scope, requiresConfirmation: false };
  const { secret } = await session.post<CreatedToken>('api/v1/me/tokens', made);
  return { MAILSWEEP_API: stack.api, MAILSWEEP_TOKEN: secret };
};

const run = async (command: string, args: string[], variables: Record<string, string>) => {
  // biome-ignore lint/style/noProcessEnv: a program is found by the PATH.
  const env = { PATH: process.env.PATH, ...variables };
  const child = spawn(command, args, { cwd: EXAMPLES, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const stdout = await text(child.stdout);
  const [exitCode] = await closed;
  return { exitCode, stdout };
};

let stack: SharedStack;
let session: ApiSession;
beforeAll(async () => {
  stack = await shareStack();
  ({ session } = await signIn(stack.api, ownUser('ada')));
});
