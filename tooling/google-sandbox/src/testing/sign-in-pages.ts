/** Submits the form of a page that holds a word, with all its boxes ticked, and with what is typed. Follows no redirect. */
export const submitForm = (
  url: string,
  html: string,
  word: string,
  typed: [name: string, value: string][] = [],
): Promise<Response> => {
  const form = html.split('<form').find((part) => part.includes(word)) ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&amp;', '&').replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code))),
  ]);
  const action = form.match(/action="([^"]+)"/)?.[1] ?? '';
  const body = new URLSearchParams([...(fields as [string, string][]), ...typed]);
  return fetch(url + action, { method: 'POST', body, redirect: 'manual' });
};

/** Chooses a user at the sandbox's pages and gives every permission, as a browser does; where it is sent back to. */
export const chooseAccount = async (authorizationUrl: string, email: string): Promise<URL> => {
  const { origin } = new URL(authorizationUrl);
  let response = await fetch(authorizationUrl, { redirect: 'manual' });
  for (const word of [`value="${email}"`, 'value="given"']) {
    if (response.status !== 200) break;
    const html = await response.text();
    response = html.includes(word)
      ? await submitForm(origin, html, word)
      : await submitForm(origin, html, 'type="email"', [['email', email]]);
  }
  return new URL(response.headers.get('location') ?? '');
};
