import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_ROUTES, type Problem, type RouteContract } from '@mailsweep/contracts';
import { onTestFinished } from 'vitest';

export const TOKEN = 'msw_0123456789abcdefghijABCDEFGHIJ';

type OperationId = keyof typeof API_ROUTES;
interface ParsedRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  /** What the request names the mailbox by. */
  mailbox: string | undefined;
}
type Handler = (request: ParsedRequest) => unknown;

/** Thrown by a handler, it becomes the response. */
export class ProblemResponse extends Error {
  readonly problem: Problem;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    const title = `Title of ${code}`;
    const instance = '/api/v1/example';
    this.problem = { type: 'about:blank', title, status, detail, instance, code, requestId: 'request-1' };
    this.headers = headers;
  }
}

const ROUTES = Object.entries<RouteContract>(API_ROUTES).map(([id, route]) => ({
  id: id as OperationId,
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
};

/** Answers a request as its route has it; a request or a response that its schemas refuse throws. */
const respond = async (request: IncomingMessage, handlers: Partial<Record<OperationId, Handler>>) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  const found = ROUTES.find(
    ({ route, pattern }) => route.method === request.method?.toLowerCase() && pattern.test(url.pathname),
  );
  if (!found) throw new Error(`There is no route ${request.method} ${url.pathname}.`);
  const { id, route, pattern } = found;
  if (route.access !== 'public' && request.headers.authorization !== `Bearer ${TOKEN}`)
    throw new ProblemResponse(401, 'unauthorized', 'The token is not valid.');
  if (route.idempotent && !request.headers['idempotency-key'])
    throw new Error(`${id} came without an Idempotency-Key.`);
  const query = (route.query?.parse(Object.fromEntries(url.searchParams)) ?? {}) as ParsedRequest['query'];
  const params = { ...pattern.exec(url.pathname)?.groups };
  route.params?.parse(params);
  const given = await readBody(request);
  const body = route.body ? route.body.parse(given) : given;
  const handler = handlers[id];
  if (!handler) throw new Error(`Nobody expected ${id}.`);
  const mailbox = request.headers['mailsweep-mailbox']?.toString();
  return { id, query, body, reply: route.response.parse(handler({ params, query, body, mailbox })) };
};

/** A server that speaks the contract of the API, for the operations that it is given. It ends with the test. */
export const serveContract = async (handlers: Partial<Record<OperationId, Handler>>) => {
  const calls: { id: OperationId; query: Record<string, unknown>; body: unknown }[] = [];
  /** What a program that keeps to the contract does not cause. */
  const violations: string[] = [];
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': type, ...headers }).end(JSON.stringify(body));
    try {
      const { reply, ...call } = await respond(request, handlers);
      calls.push(call);
      send(200, 'application/json', reply);
    } catch (error) {
      if (!(error instanceof ProblemResponse)) violations.push(String(error));
      const { problem, headers } =
        error instanceof ProblemResponse
          ? error
          : new ProblemResponse(500, 'internal_error', 'See violations.');
      send(problem.status, 'application/problem+json', problem, headers);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    if (violations.length > 0) throw new Error(violations.join('\n'));
  });
  return { api: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
};
