import got, { type Got } from 'got';

/** A person signed in at the API by the real sign-in, carrying the cookie that browsers carry. */
export interface ApiSession {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, json?: object): Promise<T>;
  cookie: string;
}

const toCookies = (lines: string[] | undefined): string =>
  (lines ?? []).map((line) => line.split(';')[0]).join('; ');

const redirectOf = (headers: { location?: string | undefined }): string => headers.location ?? '';

/** Chooses a person at the sandbox's sign-in page and answers the address that it sends the browser to. */
const chooseAccount = async (authorizationUrl: string, email: string): Promise<string> => {
  const html = await got(authorizationUrl).text();
  const form = html.split('<form').find((part) => part.includes(`value="${email}"`)) ?? '';
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  const fields = [...(form.split('</form>')[0] ?? '').matchAll(/name="([^"]+)"[^>]*value="([^"]*)"/g)];
  const answer = await got.post(new URL(action.replaceAll('&amp;', '&'), authorizationUrl), {
    form: Object.fromEntries(
      fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
    ),
    followRedirect: false,
  });
  return redirectOf(answer.headers);
};

/** Brings a sign-in to where the provider sends the browser back to the API, which has not seen it yet. */
export const beginSignIn = async (
  api: string,
  email: string,
): Promise<{ callback: URL; loginCookie: string }> => {
  const begun = await got(`${api}/auth/idp`, { followRedirect: false });
  const callback = await chooseAccount(redirectOf(begun.headers), email);
  return { callback: new URL(callback), loginCookie: toCookies(begun.headers['set-cookie']) };
};

/** Signs a person of the sandbox in and answers where the browser ends up, with a client for the API. */
export const signIn = async (
  api: string,
  email: string,
): Promise<{ landedAt: string; session: ApiSession }> => {
  const { callback, loginCookie } = await beginSignIn(api, email);
  const ended = await got(callback, { followRedirect: false, headers: { cookie: loginCookie } });
  const cookie = toCookies(ended.headers['set-cookie']?.filter((line) => line.startsWith('session_token=')));
  const client: Got = got.extend({ prefixUrl: api, headers: { cookie }, responseType: 'json' });
  return {
    landedAt: redirectOf(ended.headers),
    session: {
      cookie,
      get: async <T>(path: string) => (await client.get<T>(path)).body,
      post: async <T>(path: string, json?: object) => (await client.post<T>(path, json ? { json } : {})).body,
    },
  };
};
