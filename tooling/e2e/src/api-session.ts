import { signInAtApi } from '@mailsweep/google-sandbox/testing/api-sign-in';
import got, { type Got } from 'got';

/** A user signed in at the API by the real sign-in, carrying the cookie that browsers carry. */
export interface ApiSession {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, json?: object): Promise<T>;
  cookie: string;
}

/** Signs a user of the sandbox in and returns where the browser ends up, with a client for the API. */
export const signIn = async (
  api: string,
  email: string,
): Promise<{ landedAt: string; session: ApiSession }> => {
  const { cookie, landedAt } = await signInAtApi(api, email);
  const client: Got = got.extend({ prefixUrl: api, headers: { cookie }, responseType: 'json' });
  return {
    landedAt,
    session: {
      cookie,
      get: async <T>(path: string) => (await client.get<T>(path)).body,
      post: async <T>(path: string, json?: object) => (await client.post<T>(path, json ? { json } : {})).body,
    },
  };
};
