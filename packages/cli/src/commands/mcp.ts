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

const serve = async (context: Context): Promise<void> => {
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
  // Such a token is what the command line is given where its user does not say otherwise.
  if (scope === 'act' && token?.requiresConfirmation === false)
    output.note(
      'This token changes the mailbox without asking you. To be asked: mailsweep login, and tick “Ask me” in the browser.',
    );
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable);
  const server = serveStdio(() => createMcpServer({ client, scope }), {
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
    .action(() => serve(context));
};
