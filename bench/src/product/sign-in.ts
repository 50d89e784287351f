const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

const redirectOf = (answer: Response): string => answer.headers.get('location') ?? '';

const follow = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init });

/** Signs a person of the sandbox in at the API as a browser does; the cookie that it would carry. */
export const signIn = async (api: string, email: string): Promise<string> => {
  const begun = await follow(`${api}/auth/idp`);
  const page = redirectOf(begun);
  const html = await (await fetch(page)).text();
  const form = html.split('<form').find((part) => part.includes(`value="${email}"`)) ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&amp;', '&'),
  ]);
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  const chosen = await follow(new URL(action.replaceAll('&amp;', '&'), page).href, {
    method: 'POST',
    body: new URLSearchParams(Object.fromEntries(fields)),
  });
  const ended = await follow(redirectOf(chosen), { headers: { cookie: cookiesOf(begun) } });
  const cookie = cookiesOf(ended)
    .split('; ')
    .find((pair) => pair.startsWith('session_token='));
  if (cookie === undefined) throw new Error(`${email} could not sign in: ${redirectOf(ended)}`);
  return cookie;
};
