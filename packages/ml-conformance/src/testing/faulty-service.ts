import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MlRequest, MlRequestSchema, type MlResponse } from '@mailsweep/contracts';
import jwt from 'jsonwebtoken';

export const SECRET = 'a secret that two services share, at least 32 bytes';

/** Mistakes that a service of another team could make. */
export type Fault =
  | 'no token needed'
  | 'any signature'
  | 'any algorithm'
  | 'unsigned tokens'
  | 'expired tokens'
  | 'tokens without expiry'
  | 'any audience'
  | 'any issuer'
  | '403 instead of 401'
  | 'refuses unknown fields'
  | 'crashes on an empty list'
  | 'crashes on long texts'
  | 'crashes on dates far away'
  | 'refuses 1,000 emails'
  | 'crashes on invalid bodies'
  | 'accepts invalid bodies'
  | 'shows stack traces'
  | 'media type text'
  | 'no JSON'
  | 'another form'
  | 'leaves an email out'
  | 'an email twice'
  | 'ids in upper case'
  | 'percent as confidence'
  | 'no classification'
  | 'twenty suggestions'
  | 'an unknown action'
  | 'chance'
  | 'compares with the list'
  | 'answers a list of one otherwise'
  | 'crashes on right to left'
  | 'crashes on 1970'
  | 'depends on the place'
  | 'mixes requests up'
  | 'slow with many emails'
  | 'goes on after its caller has left'
  | 'maps by id';

/**
 * Starts a classification service that keeps the contract but for its faults.
 *
 * @param delayMs - how long what is slow takes
 */
export const startFaultyService = async (faults: readonly Fault[], delayMs = 0) => {
  const has = (fault: Fault): boolean => faults.includes(fault);
  let busy = Promise.resolve();
  let shared: MlRequest = [];

  const isRefused = (request: IncomingMessage): boolean => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) return !has('no token needed');
    if (has('any signature')) return false;
    try {
      const isUnsigned = jwt.decode(token, { complete: true })?.header.alg === 'none';
      const claims =
        isUnsigned && has('unsigned tokens')
          ? jwt.decode(token, { json: true })
          : jwt.verify(token, SECRET, {
              algorithms: has('any algorithm') ? ['HS256', 'HS512'] : ['HS256'],
              ignoreExpiration: has('expired tokens'),
              ...(has('any audience') ? {} : { audience: 'ml' }),
              ...(has('any issuer') ? {} : { issuer: 'mailsweep-api' }),
            });
      return typeof claims === 'object' && claims?.exp === undefined && !has('tokens without expiry');
    } catch {
      return true;
    }
  };

  const parseBody = (body: string): MlRequest | null => {
    try {
      return MlRequestSchema.parse(JSON.parse(body));
    } catch (error) {
      if (has('crashes on invalid bodies')) throw error;
      return has('accepts invalid bodies') ? [] : null;
    }
  };

  const suggest = (emails: MlRequest): MlResponse =>
    emails.map(({ id, subject }, index) => {
      const isLongest = emails.every((other) => other.subject.length <= subject.length);
      const isChosen = has('compares with the list')
        ? isLongest
        : has('answers a list of one otherwise')
          ? emails.length > 1 && subject.length % 2 === 0
          : has('depends on the place')
            ? index % 2 === 0
            : subject.length % 2 === 0;
      const suggestion = {
        action: has('an unknown action') ? 'review' : 'archive',
        classification: 'bulk',
        confidence_score: has('chance') ? Math.random() : has('percent as confidence') ? 90 : 0.9,
      };
      const { classification: _, ...bare } = suggestion;
      const one = has('no classification') ? (bare as typeof suggestion) : suggestion;
      const count = has('twenty suggestions') ? 20 : 1;
      return { id, suggestions: isChosen ? Array.from({ length: count }, () => one) : [] };
    });

  const spoil = (list: MlResponse): unknown => {
    if (has('another form')) return { results: { items: list } };
    if (has('leaves an email out')) return list.slice(1);
    if (has('an email twice')) return [...list, ...list.slice(0, 1)];
    if (has('ids in upper case')) return list.map((item) => ({ ...item, id: item.id.toUpperCase() }));
    if (has('maps by id')) return Object.fromEntries(list.map(({ id, suggestions }) => [id, suggestions]));
    return list;
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: unknown, type = 'application/json') => {
      response.writeHead(status, { 'content-type': type });
      response.end(has('no JSON') && status === 200 ? '<suggestions/>' : JSON.stringify(body));
    };
    const body = await text(request);
    if (isRefused(request)) return send(has('403 instead of 401') ? 403 : 401, { error: 'no valid token' });
    const emails = parseBody(body);
    if (emails === null) {
      return send(400, {
        error: 'invalid',
        stack: has('shows stack traces') ? new Error('x').stack : undefined,
      });
    }
    if (has('refuses unknown fields') && body.includes('"nested"')) return send(400, { error: 'unknown' });
    if (has('refuses 1,000 emails') && emails.length >= 1_000) return send(413, { error: 'too many' });
    if (has('crashes on an empty list') && emails.length === 0) throw new Error('empty');
    if (has('crashes on long texts') && emails.some(({ subject }) => subject.length > 998))
      throw new Error('long');
    if (has('crashes on dates far away') && emails.some(({ date }) => date > '2038')) throw new Error('far');
    if (has('crashes on right to left') && emails.some(({ subject }) => /\p{Script=Hebrew}/u.test(subject)))
      throw new Error('right to left');
    if (has('crashes on 1970') && emails.some(({ date }) => date < '1980')) throw new Error('old');
    if (has('slow with many emails') && emails.length >= 1_000) await sleep(delayMs);
    if (has('goes on after its caller has left') && emails.length >= 1_000) {
      busy = busy.then(() => sleep(delayMs));
    }
    await busy;
    if (has('mixes requests up')) {
      shared = emails;
      await sleep(5);
    }
    const list = suggest(has('mixes requests up') ? shared : emails);
    send(200, spoil(list), has('media type text') ? 'text/plain' : 'application/json; charset=utf-8');
  };

  const server = createServer((request, response) => {
    respond(request, response).catch(() => {
      response.statusCode = 500;
      response.end('internal error');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
