import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { type Context, connect } from '../context.ts';

/** Resolves when the assistant has closed the connection, or Ctrl-C ends it. */
const waitForEnd = async (stdin: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> => {
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const event of ['end', 'close', 'error']) stdin.once(event, end);
  signal.addEventListener('abort', end, { once: true });
  if (!(ended.signal.aborted || signal.aborted)) await once(ended.signal, 'abort');
};

const serve = async (context: Context, { asking: isAsking }: { asking: boolean }): Promise<void> => {
  const { terminal, output } = context;
  const { stdin, stdout, signal } = terminal;
  const { client } = await connect(context);
  const { token } = await client.getMe({ signal });
  // Loaded here alone: no other command needs the protocol.
  const [{ createMcpServer }, { serveStdio, StdioServerTransport }] = await Promise.all([
    import('@mailsweep/mcp'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const scope = token?.scope === 'read' ? 'read' : 'act';
  if (scope === 'act' && !isAsking && token?.requiresConfirmation === false)
    output.note('The assistant changes the mailbox without asking you.');
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable);
  // The command line asks by itself, so its token need not; an assistant does not.
  const tools = { client, scope, requiresConfirmation: isAsking } as const;
  const server = serveStdio(() => createMcpServer(tools), {
    transport,
    // What an assistant sends may hold email: its kind is enough.
    onerror: ({ name }) => output.note(`A message was not understood (${name}).`),
  });
  await waitForEnd(stdin, signal);
  await server.close();
};

export const addMcp = (program: Command, context: Context): void => {
  program
    .command('mcp')
    .description('serve an AI assistant on stdin and stdout (Model Context Protocol)')
    .option(
      '--no-asking',
      'run cleanups that the assistant planned without asking you in Mailsweep, where the token allows that',
    )
    .action((options: { asking: boolean }) => serve(context, options));
};
