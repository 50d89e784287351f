import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { type createClient, FRONTEND_ORIGIN } from './api-harness.ts';

/** The origin that the API under test has for its clients. */
export const ISSUER = 'http://localhost:3000';
export const LOOPBACK = 'http://127.0.0.1:49152/callback';

type ApiClient = ReturnType<typeof createClient>;
type Parameters = Record<string, string | undefined>;

const without = (parameters: Parameters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/** A program that has a user authorize it, by default as the command line does. Parameters can be changed or left out. */
export const createOAuthProgram = (apiUrl: string, defaults: Parameters = {}) => {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const client = { client_id: 'mailsweep-cli', redirect_uri: LOOPBACK, ...defaults };
  const ofRequest = {
    response_type: 'code',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };

  /** Opens the authorization endpoint; returns where the browser is sent. */
  const open = async (parameters: Parameters = {}): Promise<URL> => {
    const query = new URLSearchParams(without({ ...client, ...ofRequest, ...parameters }));
    const { status, headers } = await supertest(apiUrl).get(`/oauth/authorize?${query}`);
    if (status !== 302) throw new Error(`The authorization endpoint returned ${status}.`);
    return new URL(headers.location ?? '');
  };

  /** Asks a user; returns the path of the request. */
  const ask = async (user: ApiClient, parameters: Parameters = {}): Promise<string> => {
    const page = await open(parameters);
    const id = page.searchParams.get('request');
    if (page.origin !== FRONTEND_ORIGIN || id === null) throw new Error(`The browser is sent to ${page}.`);
    const path = `/api/v1/me/authorizations/${id}`;
    await user.get(path).expect(200);
    return path;
  };

  /** Asks a user, who allows it; returns the code. */
  const getCode = async (user: ApiClient, parameters: Parameters = {}): Promise<string> => {
    const path = await ask(user, parameters);
    const { body } = await user.post(`${path}/allow`, {}).expect(200);
    return new URL(body.redirectTo).searchParams.get('code') ?? '';
  };

  const exchange = (code: string, parameters: Parameters = {}) =>
    supertest(apiUrl)
      .post('/oauth/token')
      .type('form')
      .send(
        without({
          ...client,
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          ...parameters,
        }),
      );

  return {
    verifier,
    open,
    ask,
    getCode,
    exchange,
    /** The whole way to a token. */
    async getToken(user: ApiClient, parameters: Parameters = {}): Promise<string> {
      const { body } = await exchange(await getCode(user, parameters)).expect(200);
      return body.access_token;
    },
    renew: (token: string, parameters: Parameters = {}) =>
      supertest(apiUrl)
        .post('/oauth/token')
        .type('form')
        .send(
          without({
            grant_type: 'refresh_token',
            client_id: client.client_id,
            refresh_token: token,
            ...parameters,
          }),
        ),
    revoke: (token: string, parameters: Parameters = {}) =>
      supertest(apiUrl)
        .post('/oauth/revoke')
        .type('form')
        .send(without({ client_id: client.client_id, token, ...parameters })),
  };
};
