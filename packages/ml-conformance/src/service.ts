import { ML_SUGGEST_PATH, ML_TOKEN_AUDIENCE, ML_TOKEN_ISSUER } from '@mailsweep/contracts';
import jwt from 'jsonwebtoken';

const LIFE_S = 60;
const HOUR_S = 3_600;

/** How a request identifies itself: as the API does, or with one fault. */
export type TokenKind =
  | 'valid'
  | 'missing'
  | 'malformed'
  | 'wrong_secret'
  | 'wrong_audience'
  | 'wrong_issuer'
  | 'expired'
  | 'no_expiry'
  | 'unsigned'
  | 'wrong_algorithm';

/**
 * A token of the kind, signed with the secret (its UTF-8 bytes, as the API does it).
 *
 * @returns null where the request is to have none
 */
const createToken = (kind: TokenKind, secret: string): string | null => {
  const nowS = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: ML_TOKEN_ISSUER,
    aud: ML_TOKEN_AUDIENCE,
    sub: '0195f6a0-0000-7000-8000-000000000000',
    iat: nowS,
    exp: nowS + LIFE_S,
  };
  switch (kind) {
    case 'valid':
      return jwt.sign(claims, secret);
    case 'missing':
      return null;
    case 'malformed':
      return jwt.sign(claims, secret).slice(0, -4);
    case 'wrong_secret':
      return jwt.sign(claims, `${secret}, but another one`);
    case 'wrong_audience':
      return jwt.sign({ ...claims, aud: 'web' }, secret);
    case 'wrong_issuer':
      return jwt.sign({ ...claims, iss: 'somebody' }, secret);
    case 'expired':
      return jwt.sign({ ...claims, iat: nowS - 2 * HOUR_S, exp: nowS - HOUR_S }, secret);
    case 'no_expiry': {
      const { exp: _, ...endless } = claims;
      return jwt.sign(endless, secret);
    }
    case 'unsigned':
      return jwt.sign(claims, '', { algorithm: 'none' });
    case 'wrong_algorithm':
      return jwt.sign(claims, secret, { algorithm: 'HS512' });
  }
};

interface Response {
  status: number;
  contentType: string;
  text: string;
  /** Undefined where the text is no JSON. */
  json: unknown;
}

export interface Exchange {
  token: TokenKind;
  /** As it was sent. */
  body: string;
  /** Absent: no response came, for the reason in `failure`. */
  response?: Response;
  failure?: string;
  /** From the request to the end of the response, in milliseconds. */
  ms: number;
}

interface AskOptions {
  token?: TokenKind;
  giveUpMs?: number;
}

export interface Service {
  url: string;
  budgetMs: number;
  /** POSTs a body; a text is sent as it is, anything else as JSON. */
  ask(body: unknown, options?: AskOptions): Promise<Exchange>;
}

/** A response that takes this many times the budget is not waited for. */
const PATIENCE = 2;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @param options.secret - what the service and the API share (`INTERNAL_JWT_SECRET`) */
export const createService = (options: { baseUrl: string; secret: string; budgetMs: number }): Service => {
  const { baseUrl, secret, budgetMs } = options;
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, '')}${ML_SUGGEST_PATH}`;
  return {
    url,
    budgetMs,
    async ask(sent, { token = 'valid', giveUpMs = PATIENCE * budgetMs } = {}) {
      const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
      const bearer = createToken(token, secret);
      const startedMs = performance.now();
      const elapsed = () => Math.round(performance.now() - startedMs);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          },
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(giveUpMs),
        });
        const text = await response.text();
        const contentType = response.headers.get('content-type') ?? '';
        return {
          token,
          body,
          response: { status: response.status, contentType, text, json: parse(text) },
          ms: elapsed(),
        };
      } catch (error) {
        return { token, body, failure: explain(error, giveUpMs), ms: elapsed() };
      }
    },
  };
};

const explain = (error: unknown, giveUpMs: number): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${giveUpMs} ms`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};
