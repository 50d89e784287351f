import { z } from 'zod';

/** The account that the emulator adds to every seed of ours. */
const FOREIGN_ACCOUNT = 'testuser@gmail.com';

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Where the browser goes when the person says no (RFC 6749, section 4.1.2.1). */
const toDenialUrl = (query: URLSearchParams): string | undefined => {
  const redirectUri = z.url().safeParse(query.get('redirect_uri'));
  if (!redirectUri.success) return undefined;
  const url = new URL(redirectUri.data);
  url.searchParams.set('error', 'access_denied');
  const state = query.get('state');
  if (state) url.searchParams.set('state', state);
  return url.href;
};

/**
 * The emulator's page on which a person chooses an account, without the one that is none of ours, and with a way
 * to refuse.
 */
export const tidySignInPage = (html: string, query: URLSearchParams): string => {
  const denialUrl = toDenialUrl(query);
  const cancel = denialUrl
    ? `<p style="text-align:center"><a id="deny" style="color:inherit" href="${escapeAttribute(denialUrl)}">Cancel</a></p>`
    : '';
  const forms = html.match(/<form class="user-form"[\s\S]*?<\/form>/g) ?? [];
  const foreign = forms.find((form) => form.includes(`value="${FOREIGN_ACCOUNT}"`));
  const own = foreign === undefined ? html : html.replace(foreign, () => '');
  const last = own.lastIndexOf('</form>');
  if (last < 0) return own;
  const end = last + '</form>'.length;
  return own.slice(0, end) + cancel + own.slice(end);
};
