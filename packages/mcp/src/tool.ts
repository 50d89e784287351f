import type { ApiClient } from '@mailsweep/client';
import { isProblem, UnreachableError } from '@mailsweep/client';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** What a tool may do to the mailbox; a token has to have at least this scope. */
export type ToolScope = 'read' | 'act';

/** What a server of tools works with. */
export interface ToolContext {
  client: ApiClient;
  /** Whether the user confirms each run, also where the token of the client does not require that. */
  requiresConfirmation: boolean;
}

interface ToolCall<I> extends ToolContext {
  input: I;
  signal: AbortSignal;
}

/** A tool, apart from how it is called. */
export interface ToolDefinition<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  scope: ToolScope;
  /** Whether it may change emails so that a user would mind. */
  isDestructive?: true;
  /** Whether calling it again changes nothing more; what only reads never changes anything. */
  isIdempotent?: true;
  /** Whether it returns text of third parties, or reaches beyond Mailsweep. */
  isOpenWorld?: true;
  input: I;
  output: O;
  /** @returns what the tool found, and a sentence about it without any text of third parties */
  run: (call: ToolCall<z.output<I>>) => Promise<{ summary: string; data: z.input<O> }>;
}

/** Makes a tool whose function is checked against its own schemas. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolDefinition<I, O>,
): ToolDefinition => tool as unknown as ToolDefinition;

/** A tool cannot do what it was asked for, and the model can do something about it. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** What the model is told about an error; it names no more than the API tells its caller. */
const describeError = (error: unknown): string => {
  if (error instanceof ToolError) return error.message;
  if (isProblem(error)) {
    const { title, detail } = error.problem;
    const wait = error.retryAfterSeconds;
    return [
      `${title} (${error.code}): ${detail}`,
      ...(wait === undefined ? [] : [`Try again in ${Math.ceil(wait)} seconds.`]),
    ].join(' ');
  }
  if (error instanceof UnreachableError) return 'Mailsweep could not be reached. Try again later.';
  return 'Mailsweep could not do this because of an error of its own. Nothing may have been changed.';
};

const toResult = (summary: string, data: Record<string, unknown>): CallToolResult => ({
  // Clients that know no structured content get the same fields as text.
  content: [{ type: 'text', text: `${summary}\n${JSON.stringify(data)}` }],
  structuredContent: data,
});

export const addTool = (server: McpServer, context: ToolContext, tool: ToolDefinition): void => {
  const { name, title, description, input, output } = tool;
  const isReadOnly = tool.scope === 'read';
  const annotations = {
    title,
    readOnlyHint: isReadOnly,
    destructiveHint: tool.isDestructive === true,
    idempotentHint: isReadOnly || tool.isIdempotent === true,
    openWorldHint: tool.isOpenWorld === true,
  };
  const config = { title, description, inputSchema: input, outputSchema: output, annotations };
  server.registerTool(name, config, async (given, { mcpReq }): Promise<CallToolResult> => {
    try {
      const { summary, data } = await tool.run({ ...context, input: given, signal: mcpReq.signal });
      return toResult(summary, data);
    } catch (error) {
      return { content: [{ type: 'text', text: describeError(error) }], isError: true };
    }
  });
};
