import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import supertest from 'supertest';

/** A browser at the API: keeps its cookies, sends these headers, and follows no redirect of its own accord. */
export const openBrowser = (apiUrl: string, headers: Record<string, string> = {}) => {
  const cookies = new Map<string, string>();

  const get = async (path: string) => {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await supertest(apiUrl)
      .get(path)
      .set({ ...headers, cookie: sent });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };

  return {
    cookies,
    get,
    /** Begins a sign-in; returns the provider's address that the browser is sent to. */
    async begin(query = ''): Promise<URL> {
      const response = await get(`/auth/idp${query}`);
      return new URL(response.headers.location ?? '');
    },
    /** Comes back from the provider. */
    complete: (callback: URL) => get(callback.pathname + callback.search),
    /** The whole way in, as one user; returns the last redirect. */
    async signIn(email = 'ada@example.com') {
      const authorizationUrl = await this.begin();
      return this.complete(await chooseAccount(authorizationUrl.href, email));
    },
    /** Adds the mailbox of another account to those of the session; returns the last redirect. */
    async addMailbox(email: string): Promise<string | undefined> {
      const authorizationUrl = await this.begin('?add=true');
      return (await this.complete(await chooseAccount(authorizationUrl.href, email))).headers.location;
    },
  };
};

export type Browser = ReturnType<typeof openBrowser>;

/** The attributes of a cookie in a response, lower-cased names to values; undefined when it is not set. */
export const readSetCookie = (
  response: { headers: Record<string, unknown> },
  name: string,
): Record<string, string> | undefined => {
  const lines = [response.headers['set-cookie'] ?? []].flat() as string[];
  const line = lines.find((candidate) => candidate.startsWith(`${name}=`));
  if (line === undefined) return undefined;
  const [pair = '', ...attributes] = line.split('; ');
  return Object.fromEntries([
    ['value', pair.slice(name.length + 1)],
    ...attributes.map((attribute) => {
      const [key = '', value = ''] = attribute.split('=');
      return [key.toLowerCase(), value];
    }),
  ]);
};
