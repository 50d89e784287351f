const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

const redirectOf = (response: Response): string => response.headers.get('location') ?? '';

const follow = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init });

const decodeEntities = (text: string): string =>
  text
    .replaceAll('&amp;', '&')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)));

/** Submits the form of a page that holds a word, with all its boxes ticked. */
const submitForm = (page: string, html: string, word: string): Promise<Response> => {
  const form = html.split('<form').find((part) => part.includes(word)) ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    decodeEntities(value),
  ]);
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  return follow(new URL(decodeEntities(action), page).href, {
    method: 'POST',
    body: new URLSearchParams(Object.fromEntries(fields)),
  });
};

/** Signs a user of the sandbox in at the API as a browser does; the cookie that it would carry. */
export const signIn = async (api: string, email: string): Promise<string> => {
  const begun = await follow(`${api}/auth/idp`);
  const page = redirectOf(begun);
  let chosen = await follow(page);
  for (const word of [`value="${email}"`, 'value="given"']) {
    if (chosen.status === 200) chosen = await submitForm(page, await chosen.text(), word);
  }
  const ended = await follow(redirectOf(chosen), { headers: { cookie: cookiesOf(begun) } });
  const cookie = cookiesOf(ended)
    .split('; ')
    .find((pair) => pair.startsWith('session_token='));
  if (cookie === undefined) throw new Error(`${email} could not sign in: ${redirectOf(ended)}`);
  return cookie;
};
