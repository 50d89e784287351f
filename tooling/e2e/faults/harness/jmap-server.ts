import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type CyrusAccount, openCyrusAccount, startCyrus } from '@mailsweep/mail/jmap/testing';
import { listenOnLoopback } from '@mailsweep/service-kit';

/** How long a scenario waits for a request, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A request to the mail server that a scenario holds in its hands. */
export interface HeldRequest {
  /**
   * Sends it to the server; resolves once the server has carried it out.
   *
   * @param calls - how many of its method calls the server gets; all when left out
   */
  forward(calls?: number): Promise<void>;
  /** Gives the client the response. */
  respond(): void;
  /** Breaks the client's connection off. */
  drop(): void;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const readBody = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());

/** The name of the host stays that of the proxy, which Cyrus puts into its redirects. */
const send = (target: URL, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { ...request.headers, 'content-length': body.length };
    const options = { method: request.method, headers, agent: false };
    httpRequest(new URL(request.url ?? '/', target), options, resolve)
      .on('error', reject)
      .end(body);
  });

const cutCalls = (body: Buffer, calls: number): Buffer => {
  const request = JSON.parse(String(body));
  return Buffer.from(JSON.stringify({ ...request, methodCalls: request.methodCalls.slice(0, calls) }));
};

const hold = (target: URL, request: IncomingMessage, response: ServerResponse, body: Buffer): HeldRequest => {
  let answer: Answer | undefined;
  return {
    async forward(calls) {
      const reply = await send(target, request, calls === undefined ? body : cutCalls(body, calls));
      answer = { status: reply.statusCode ?? 502, headers: reply.headers, body: await readBody(reply) };
    },
    respond: () => void response.writeHead(answer?.status ?? 502, answer?.headers).end(answer?.body),
    drop: () => void request.socket.destroy(),
  };
};

/** Starts a Cyrus, and a way to it on which a scenario can hold requests. */
export const startJmapServer = async () => {
  const cyrus = await startCyrus();
  const target = new URL(cyrus.sessionUrl);
  let next: { method: string; handle: (held: HeldRequest) => Promise<void> } | undefined;

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const due = next;
    if (due !== undefined && body.includes(`"${due.method}"`)) {
      next = undefined;
      return await due.handle(hold(target, request, response, body));
    }
    const reply = await send(target, request, body);
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.on('error', () => response.destroy()).pipe(response);
  };
  const proxy = await listenOnLoopback((request, response) => {
    // The server is away.
    pass(request, response).catch(() => void request.socket.destroy());
  }, 0);
  const provider = {
    key: 'own',
    name: 'Our server',
    sessionUrl: new URL(target.pathname, proxy.url).href,
    token: true,
  };
  return {
    cyrus,
    /** Variables of the processes. */
    env: { JMAP_PROVIDERS: JSON.stringify([provider]) },
    openAccount: (): Promise<CyrusAccount> => openCyrusAccount(cyrus),
    /** Hands the next request with a method over to the scenario; resolves with what the scenario makes of it. */
    holdNext: <T>(method: string, handle: (held: HeldRequest) => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`there was no ${method}`)), PATIENCE_MS);
        const handleInTime = (held: HeldRequest) => {
          clearTimeout(timer);
          return handle(held).then(resolve, reject);
        };
        next = { method, handle: handleInTime };
      }),
    async close() {
      await proxy.close();
      await cyrus.stop();
    },
  };
};

export type JmapServer = Awaited<ReturnType<typeof startJmapServer>>;
