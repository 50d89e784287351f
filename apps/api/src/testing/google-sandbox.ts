import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { createEmulator } from 'emulate';
import { createGmailBehaviour } from './gmail-behaviour.ts';
import { type SandboxMessage, toSeed } from './sandbox-message.ts';

/** How the sandbox treats the next calls whose path matches. */
export interface Fault {
  path: RegExp;
  times: number;
  /** Without it the call goes through. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** The answer waits for this. */
  until?: Promise<unknown>;
}

/** How the sandbox changes the next good JSON answers to calls whose path matches. */
export interface Rewrite {
  path: RegExp;
  times: number;
  change: (answer: Record<string, unknown>) => Record<string, unknown>;
}

const PEOPLE = [
  { email: 'ada@example.com', name: 'Ada Lovelace' },
  { email: 'grace@example.com', name: 'Grace Hopper' },
];

const listenOnFreePort = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** A token with which a user looks after their mailbox without us. */
const toOwnToken = (email: string): string => `own-token-of-${email}`;

/** Drops the search operators that the emulator does not know; finding too much is a provider's right. */
const dropUnknownOperators = (path: string): string =>
  path.replace(/(larger%3A\d+|-?category%3A\w+|-in%3A(drafts|chats))\+?/g, '');

/** The history id of a profile, which the emulator has not, stands in every answer of its history, too. */
const toEmulatorPath = (path: string): string =>
  path.startsWith('/gmail/v1/users/me/profile')
    ? `/gmail/v1/users/me/history?startHistoryId=${'9'.repeat(30)}`
    : dropUnknownOperators(path);

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
  const rewrites: Rewrite[] = [];
  const calls: { method: string; path: string }[] = [];
  const answered: string[] = [];
  const gmail = createGmailBehaviour();
  let waiting: (() => boolean)[] = [];
  const door = createServer((request, response) => void pass(request, response));
  const port = await listenOnFreePort(door);
  const url = `http://localhost:${port}`;
  const emulatorPort = await findFreePort();
  const emulator = await createEmulator({
    service: 'google',
    port: emulatorPort,
    baseUrl: url,
    seed: {
      tokens: Object.fromEntries(
        PEOPLE.map(({ email }) => [toOwnToken(email), { login: email, scopes: [] }]),
      ),
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
  });

  const countAnswer = (path: string) => {
    answered.push(path);
    waiting = waiting.filter((isStillWaiting) => isStillWaiting());
  };

  const whenAnswered = (path: RegExp, count: number): Promise<void> =>
    new Promise((resolve) => {
      const isStillWaiting = () => {
        if (answered.filter((one) => path.test(one)).length < count) return true;
        resolve();
        return false;
      };
      if (isStillWaiting()) waiting.push(isStillWaiting);
    });

  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/';
    calls.push({ method: request.method ?? 'GET', path });
    const fault = faults.find((candidate) => candidate.times > 0 && candidate.path.test(path));
    if (fault === undefined) return forward(request, response, path);
    fault.times -= 1;
    await fault.until;
    if (fault.status === undefined) return forward(request, response, path);
    request.resume();
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    response.end(JSON.stringify(fault.body ?? { error: { code: fault.status, message: 'fault' } }));
  };

  const forward = (request: IncomingMessage, response: ServerResponse, path: string) => {
    const rewrite = rewrites.find((candidate) => candidate.times > 0 && candidate.path.test(path));
    if (rewrite !== undefined) rewrite.times -= 1;
    const emulatorPath = gmail.toEmulatorPath(toEmulatorPath(path));
    const upstream = httpRequest(
      `http://localhost:${emulatorPort}${emulatorPath}`,
      { method: request.method, headers: { ...request.headers, host: `localhost:${port}` } },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks);
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, headers);
        const isGoodJson = answer.statusCode === 200 && headers['content-type']?.includes('json');
        const change = (json: Record<string, unknown>) => {
          const given = gmail.toAnswer(emulatorPath, json);
          return rewrite ? rewrite.change(given) : given;
        };
        response.end(isGoodJson ? JSON.stringify(change(JSON.parse(body.toString()))) : body);
        countAnswer(path);
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  };

  /** What a user does at Gmail itself; it doesn't pass the door. */
  const askAs = async (
    email: string,
    path: string,
    body?: object,
    method = body === undefined ? 'GET' : 'POST',
  ) => {
    const answer = await fetch(`http://localhost:${emulatorPort}/gmail/v1/users/me/${path}`, {
      method,
      headers: { authorization: `Bearer ${toOwnToken(email)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return JSON.parse((await answer.text()) || '{}') as {
      labelIds?: string[];
      labels?: { id: string; name: string }[];
    };
  };

  return {
    url,
    calls,
    /** The labels of a message, sorted. */
    async labelsOf(id: string, email = 'ada@example.com'): Promise<string[]> {
      return ((await askAs(email, `messages/${id}?format=minimal`)).labelIds ?? []).toSorted();
    },
    /** Changes labels as the user does at Gmail itself. */
    async changeLabels(
      id: string,
      change: { added?: string[]; removed?: string[] },
      email = 'ada@example.com',
    ) {
      const { added: addLabelIds = [], removed: removeLabelIds = [] } = change;
      await askAs(email, `messages/${id}/modify`, { addLabelIds, removeLabelIds });
    },
    /** The id of a label by its name. */
    async findLabel(name: string, email = 'ada@example.com'): Promise<string | undefined> {
      return (await askAs(email, 'labels')).labels?.find((label) => label.name === name)?.id;
    },
    /** Deletes a label as the user does at Gmail itself. */
    async deleteLabel(id: string, email = 'ada@example.com') {
      await askAs(email, `labels/${id}`, undefined, 'DELETE');
    },
    /** Makes the next calls whose path matches fail. */
    fail(fault: Fault) {
      faults.push(fault);
    },
    /** Resolves once so many calls of matching paths have been answered, since the last heal. */
    whenAnswered,
    /** Changes the next answers to calls whose path matches. */
    rewrite(rewrite: Rewrite) {
      rewrites.push(rewrite);
    },
    /** Forgets all faults, and all calls there were. */
    heal() {
      faults.length = 0;
      rewrites.length = 0;
      calls.length = 0;
      answered.length = 0;
    },
    /** How many calls had a matching path, since the last heal. */
    countCalls: (path: RegExp) => calls.filter((call) => path.test(call.path)).length,
    async close() {
      door.close();
      door.closeAllConnections();
      await emulator.close();
    },
  };
};

export type GoogleSandbox = Awaited<ReturnType<typeof startGoogleSandbox>>;

/** Chooses a user at the sandbox's sign-in page, as a browser would, and answers where it is sent back to. */
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
