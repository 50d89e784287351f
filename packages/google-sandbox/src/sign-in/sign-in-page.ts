import { z } from 'zod';

/** The account that the emulator adds to every seed of ours. */
const FOREIGN_ACCOUNT = 'testuser@gmail.com';
/** Parameters of the authorization request that the emulator's forms leave out. */
const FORGOTTEN_PARAMETERS = ['prompt', 'access_type'];
/** Where the forms of both pages go to. */
const CALLBACK_PATH = '/o/oauth2/v2/auth/callback';

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const toHiddenInputs = (fields: Iterable<[name: string, value: string]>): string =>
  [...fields]
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeAttribute(name)}" value="${escapeAttribute(value)}"/>`,
    )
    .join('');

/** Where the browser goes when the user denies access (RFC 6749, section 4.1.2.1). */
const toDenialUrl = (query: URLSearchParams): string | undefined => {
  const redirectUri = z.url().safeParse(query.get('redirect_uri'));
  if (!redirectUri.success) return undefined;
  const url = new URL(redirectUri.data);
  url.searchParams.set('error', 'access_denied');
  const state = query.get('state');
  if (state) url.searchParams.set('state', state);
  return url.href;
};

const toCancelLink = (query: URLSearchParams): string => {
  const denialUrl = toDenialUrl(query);
  return denialUrl
    ? `<p style="text-align:center"><a id="deny" style="color:inherit" href="${escapeAttribute(denialUrl)}">Cancel</a></p>`
    : '';
};

/**
 * The emulator's page on which a user chooses an account, without the one that is none of ours, and with a way
 * to refuse.
 */
export const rewriteSignInPage = (html: string, query: URLSearchParams): string => {
  const forgotten = FORGOTTEN_PARAMETERS.flatMap((name): [string, string][] => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  const forms = html.match(/<form class="user-form"[\s\S]*?<\/form>/g) ?? [];
  const foreign = forms.find((form) => form.includes(`value="${FOREIGN_ACCOUNT}"`));
  const own = foreign === undefined ? html : html.replace(foreign, () => '');
  const complete = own.replaceAll(
    '<button type="submit"',
    () => `${toHiddenInputs(forgotten)}<button type="submit"`,
  );
  const last = complete.lastIndexOf('</form>');
  if (last < 0) return complete;
  const end = last + '</form>'.length;
  return complete.slice(0, end) + toCancelLink(query) + complete.slice(end);
};

/**
 * The page on which a user allows what a program asks for, each mail scope by a box of its own ("Handle granular
 * permissions").
 *
 * @param form - what the page before sent
 */
export const renderConsentPage = (options: {
  clientName: string;
  form: URLSearchParams;
  mailScopes: readonly string[];
  isTicked: boolean;
}): string => {
  const { form, mailScopes, isTicked } = options;
  const name = escapeAttribute(options.clientName);
  const email = escapeAttribute(form.get('email') ?? '');
  const boxes = mailScopes.map(
    (scope) =>
      `<p><label><input type="checkbox" name="granted_scope" value="${escapeAttribute(scope)}"${isTicked ? ' checked' : ''}/> Read, compose, and send emails from your Gmail account</label></p>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in – Google sandbox</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.4rem 1rem}</style></head>
<body><h1>${name} wants access to your Google Account</h1><p>${email}</p>
<h2>Select what ${name} can access</h2>
<form method="post" action="${CALLBACK_PATH}">${toHiddenInputs([...form, ['consent', 'given']])}
${boxes.join('\n')}
<button type="submit">Continue</button></form>
${toCancelLink(form)}
</body></html>`;
};
