import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createEmulator } from 'emulate';

export interface SandboxMessage {
  id: string;
  from?: string;
  subject?: string;
  labelIds?: string[];
  ageDays?: number;
  attachmentBytes?: number;
}

/** How the sandbox treats the next call whose path matches. */
export interface Fault {
  path: RegExp;
  times: number;
  status: number;
  body?: unknown;
}

const DAY_MS = 86_400_000;
const PEOPLE = [
  { email: 'ada@example.com', name: 'Ada Lovelace' },
  { email: 'grace@example.com', name: 'Grace Hopper' },
];

const listenOnFreePort = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const findFreePort = async (): Promise<number> => {
  const server = createServer();
  const port = await listenOnFreePort(server);
  server.close();
  return port;
};

const toSeed = (owner: string, message: SandboxMessage) => ({
  id: message.id,
  user_email: owner,
  thread_id: `thread-${message.id}`,
  from: message.from ?? 'News <news@shop.example>',
  to: owner,
  subject: message.subject ?? 'Subject',
  body_text: 'Text',
  label_ids: message.labelIds ?? ['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'],
  date: new Date(Date.now() - (message.ageDays ?? 1) * DAY_MS).toISOString(),
});

/**
 * Google as the API meets it: OAuth, OpenID Connect and Gmail from the `emulate` package, behind a door that
 * counts calls and can misbehave on demand.
 */
export const startGoogleSandbox = async (options: {
  redirectUri: string;
  clientId: string;
  clientSecret: string;
  mail: Record<string, SandboxMessage[]>;
}) => {
  const faults: Fault[] = [];
  const calls: { method: string; path: string }[] = [];
  const door = createServer((request, response) => pass(request, response));
  const port = await listenOnFreePort(door);
  const url = `http://localhost:${port}`;
  const emulatorPort = await findFreePort();
  const emulator = await createEmulator({
    service: 'google',
    port: emulatorPort,
    baseUrl: url,
    seed: {
      google: {
        users: PEOPLE,
        oauth_clients: [
          {
            client_id: options.clientId,
            client_secret: options.clientSecret,
            name: 'Mailsweep',
            redirect_uris: [options.redirectUri],
          },
        ],
        messages: Object.entries(options.mail).flatMap(([owner, messages]) =>
          messages.map((message) => toSeed(owner, message)),
        ),
      },
    },
  } as Parameters<typeof createEmulator>[0]);

  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    calls.push({ method: request.method ?? 'GET', path });
    const fault = faults.find((candidate) => candidate.times > 0 && candidate.path.test(path));
    if (fault !== undefined) {
      fault.times -= 1;
      request.resume();
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(fault.body ?? { error: { code: fault.status, message: 'fault' } }));
      return;
    }
    const upstream = httpRequest(
      `http://localhost:${emulatorPort}${path}`,
      { method: request.method, headers: { ...request.headers, host: `localhost:${port}` } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  };

  return {
    url,
    calls,
    /** Makes the next calls whose path matches fail. */
    fail(fault: Fault) {
      faults.push(fault);
    },
    heal() {
      faults.length = 0;
    },
    async close() {
      door.close();
      door.closeAllConnections();
      await emulator.close();
    },
  };
};

export type GoogleSandbox = Awaited<ReturnType<typeof startGoogleSandbox>>;

/** Chooses a person at the sandbox's sign-in page, as a browser would, and answers where it is sent back to. */
export const chooseAccount = async (authorizationUrl: string, email: string): Promise<URL> => {
  const html = await (await fetch(authorizationUrl)).text();
  const form = html.split('<form').find((part) => part.includes(`value="${email}"`)) ?? '';
  const inputs = [...(form.split('</form>')[0] ?? '').matchAll(/name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
  );
  const answer = await fetch(new URL('/o/oauth2/v2/auth/callback', authorizationUrl), {
    method: 'POST',
    body: new URLSearchParams(inputs as [string, string][]),
    redirect: 'manual',
  });
  return new URL(answer.headers.get('location') ?? '');
};
