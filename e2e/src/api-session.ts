import got, { type Got } from 'got';

/** A user signed in at the API by the real sign-in, carrying the cookie that browsers carry. */
export interface ApiSession {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, json?: object): Promise<T>;
  cookie: string;
}

const toCookies = (lines: string[] | undefined): string =>
  (lines ?? []).map((line) => line.split(';')[0]).join('; ');

const redirectOf = (headers: { location?: string | undefined }): string => headers.location ?? '';

/** Submits the form of a page that holds a word, with all its boxes ticked. */
const submitForm = (pageUrl: string, html: string, word: string) => {
  const form = html.split('<form').find((part) => part.includes(word)) ?? '';
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  const fields = [...(form.split('</form>')[0] ?? '').matchAll(/name="([^"]+)"[^>]*value="([^"]*)"/g)];
  return got.post(new URL(action.replaceAll('&amp;', '&'), pageUrl), {
    form: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, decodeEntities(value)])),
    followRedirect: false,
  });
};

const decodeEntities = (text: string): string =>
  text
    .replaceAll('&amp;', '&')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)));

/** Walks through the sandbox's sign-in, Gmail's box ticked; returns the address that it sends the browser to. */
const chooseAccount = async (authorizationUrl: string, email: string): Promise<string> => {
  let response = await got(authorizationUrl, { followRedirect: false });
  for (const word of [`value="${email}"`, 'value="given"']) {
    if (response.statusCode === 200) response = await submitForm(authorizationUrl, response.body, word);
  }
  return redirectOf(response.headers);
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

/**
 * Brings the browser back to the API; once more when the API asks for consent because it has no refresh token.
 */
const completeSignIn = async (callback: URL, email: string, loginCookie: string) => {
  const come = (to: URL) => got(to, { followRedirect: false, headers: { cookie: loginCookie } });
  const first = await come(callback);
  const target = redirectOf(first.headers);
  if (!target.includes('prompt=consent')) return first;
  return await come(new URL(await chooseAccount(target, email)));
};

/** Signs a user of the sandbox in and returns where the browser ends up, with a client for the API. */
export const signIn = async (
  api: string,
  email: string,
): Promise<{ landedAt: string; session: ApiSession }> => {
  const { callback, loginCookie } = await beginSignIn(api, email);
  const ended = await completeSignIn(callback, email, loginCookie);
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
