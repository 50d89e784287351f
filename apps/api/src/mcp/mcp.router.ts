import { createClient } from '@mailsweep/client';
import { createMcpServer } from '@mailsweep/mcp';
import { type Logger, requestIdOf } from '@mailsweep/service-kit';
import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { type Response as ExpressResponse, type Request, type RequestHandler, Router } from 'express';
import { callerOf, isToken } from '../auth/authenticate.ts';
import { createProblem } from '../http/problems.ts';
import type { InProcess, Origin } from './in-process.ts';

/** Where assistants call; its metadata is at the same path below `/.well-known`. */
const MCP_PATH = '/mcp';
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

/** How long a tool may take: no longer than clients of the protocol wait. */
const TIME_LIMIT_MS = 55_000;

/** A batch would count as one request, whatever it holds; the protocol has none since 2025-06-18. */
const BATCH_REFUSED = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not supported: send one message in a request.' },
};

export const toMcpMetadataUrl = (apiOrigin: string): string => apiOrigin + METADATA_PATH;

/** What the SDK hands to the factory of servers: who calls, and nothing that could be passed on. */
const toAuthInfo = (origin: Origin) => ({ token: '', clientId: '', scopes: [], extra: { origin } });
const readOrigin = ({ authInfo }: McpRequestContext): Origin => {
  const origin = authInfo?.extra?.origin;
  if (origin === undefined) throw new Error('a request reached the MCP server without a caller');
  return origin as Origin;
};

const toWebRequest = (apiOrigin: string, request: Request, response: ExpressResponse) => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'authorization' && name !== 'cookie') headers.set(name, value);
  }
  return new globalThis.Request(apiOrigin + MCP_PATH, { method: 'POST', headers, signal: left.signal });
};

/**
 * The endpoint for AI assistants (Streamable HTTP of the Model Context Protocol), without sessions, and what it says about
 * itself (RFC 9728).
 *
 * @param options.guards - run first; they let through requests with a live token alone
 */
export const createMcpRouter = (options: {
  apiOrigin: string;
  inProcess: InProcess;
  addressOf: (request: Request) => string;
  guards: RequestHandler[];
  metadataGuards: RequestHandler[];
  parseBody: RequestHandler[];
  logger: Logger;
}): Router => {
  const { apiOrigin, inProcess, addressOf, logger } = options;
  const handler = createMcpHandler(
    (context) => {
      const origin = readOrigin(context);
      const { caller } = origin;
      const client = createClient({
        baseUrl: apiOrigin,
        fetch: inProcess.createFetch(origin),
        // The assistant is told to wait, in place of a connection that does.
        retries: 0,
        timeLimitMs: TIME_LIMIT_MS,
      });
      const scope = isToken(caller) && caller.scope !== 'read' ? 'act' : 'read';
      // The token says it.
      return createMcpServer({ client, scope, requiresConfirmation: false });
    },
    {
      // The tools never change: there is nothing to subscribe to.
      maxSubscriptions: 0,
      // What an assistant sends may hold email: its kind is enough.
      onerror: ({ name }) => logger.debug({ kind: name }, 'a request of an assistant was refused'),
    },
  );

  const router = Router();
  router.get(METADATA_PATH, ...options.metadataGuards, (_request, response) => {
    response.json({
      resource: apiOrigin + MCP_PATH,
      resource_name: 'Mailsweep',
      authorization_servers: [apiOrigin],
      // No tool needs more, and clients ask for all of them.
      scopes_supported: ['read', 'act'],
      bearer_methods_supported: ['header'],
    });
  });
  router.post(MCP_PATH, ...options.guards, ...options.parseBody, async (request, response) => {
    if (Array.isArray(request.body)) {
      response.status(400).json(BATCH_REFUSED);
      return;
    }
    const origin = {
      caller: callerOf(response),
      address: addressOf(request),
      requestId: requestIdOf(response),
    };
    const reply = await handler.fetch(toWebRequest(apiOrigin, request, response), {
      authInfo: toAuthInfo(origin),
      parsedBody: request.body,
    });
    const body = await reply.text();
    if (response.closed) return;
    const type = reply.headers.get('content-type');
    response.status(reply.status).set('cache-control', 'no-store');
    if (type !== null) response.type(type);
    response.end(body);
  });
  router.all(MCP_PATH, ...options.guards, (_request, response) => {
    response.set('allow', 'POST');
    throw createProblem('method_not_allowed', 'Requests to this endpoint are sent with POST.');
  });
  return router;
};
