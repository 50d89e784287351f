/** Of browsers and of Node; this package has the types of neither. */
declare const URL: new (url: string) => { hostname: string };

/** A host name of two labels at least, the last of which is no number. */
const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** What a URL may have in or beside its host, and a host name has not. */
const NOT_IN_HOST = /[\s/:?#@\\%[\]<>|^]/;
const LOCAL_PART = /^[^\s<>()[\],;:\\"@]{1,64}$/;

const toAsciiDomain = (text: string): string | undefined => {
  if (NOT_IN_HOST.test(text)) return undefined;
  try {
    const domain = new URL(`http://${text}`).hostname;
    return DOMAIN.test(domain) ? domain : undefined;
  } catch {
    return undefined;
  }
};

/**
 * An address, or a domain as `@example.com`, in the one spelling by which it is compared: in lower case, and the domain in
 * ASCII. Undefined for what is neither.
 */
export const toSenderName = (text: string): string | undefined => {
  const [, bracketed = text] = text.match(/<([^<>]*)>\s*$/) ?? [];
  const name = bracketed.trim().toLowerCase().normalize('NFC');
  const at = name.lastIndexOf('@');
  const domain = toAsciiDomain(name.slice(at + 1));
  if (domain === undefined) return undefined;
  const local = name.slice(0, Math.max(at, 0)).replace(/^\*$/, '');
  return local === '' || LOCAL_PART.test(local) ? `${local}@${domain}` : undefined;
};

/** The names by which a sender may be protected: the address, and its domain with the domains above it. */
export const toSenderNames = (from: string): string[] => {
  const name = toSenderName(from);
  if (name === undefined) return [];
  const labels = name.slice(name.lastIndexOf('@') + 1).split('.');
  const domains = labels.slice(0, -1).map((_, index) => `@${labels.slice(index).join('.')}`);
  return [name, ...domains.filter((domain) => domain !== name)];
};
