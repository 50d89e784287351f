/** Of browsers and of Node; this package has the types of neither. */
declare const URL: new (url: string) => { hostname: string };

/** A host name of two labels at least, the last of which is no number. */
const DOMAIN =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** What a URL may have in or beside its host, and a host name has not. */
const NOT_IN_HOST = /[\s/:?#@\\%[\]<>|^]/;
const LOCAL_PART = /^[^\s<>()[\],;:\\"@]{1,64}$/;

/** An address (RFC 5322, 3.4.1); a quoted local part has nothing in it that ends an address somewhere else. */
const ADDRESS =
  /^(?:[^\s<>()[\],;:\\"@\p{Cc}\p{Cf}\p{Cs}]+|"[^<>()[\],;:\\"@\p{Cc}\p{Cf}\p{Cs}]+")@(?:[^\s<>()[\],;:\\"@\p{Cc}\p{Cf}\p{Cs}]+|\[[\w.:]+\])$/u;
/** What some programs decode in an address, and others do not. */
const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?/i;
/** Longest address (RFC 5321, 4.5.3.1). */
const MAX_ADDRESS_LENGTH = 320;
/** Longest From that is read, in UTF-16 units. */
const MAX_FROM_LENGTH = 16_384;

const toAsciiDomain = (text: string): string | undefined => {
  if (NOT_IN_HOST.test(text)) return undefined;
  try {
    const domain = new URL(`http://${text}`).hostname;
    return DOMAIN.test(domain) ? domain : undefined;
  } catch {
    return undefined;
  }
};

export interface Author {
  name: string;
  /** As it is compared: in lower case, the domain in ASCII. */
  address: string;
  /** As it was written. */
  written: string;
}

/** What stands between two commas of a list of mailboxes. */
interface Part {
  /** Outside of brackets and comments, quotes included. */
  text: string;
  /** Within brackets. */
  bracketed: string[];
  comments: string[];
  /** Whether anything but comments follows a bracket. */
  hasMore: boolean;
}

/** Where a comment ends, which may hold others (RFC 5322, 3.2.2); undefined where it does not. */
const findCommentEnd = (from: string, start: number): number | undefined => {
  let depth = 0;
  for (let index = start; index < from.length; index += 1) {
    const character = from.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
};

/** A quoted string (RFC 5322, 3.2.4), what is in brackets (3.4), or text without either. */
const TOKEN = /"(?:[^"\\]|\\.)*"|<(?:[^<>"]|"(?:[^"\\]|\\.)*")*>|[^"<(,]+/sy;

/** Takes a list of mailboxes apart (RFC 5322, 3.4 and 4.4); undefined where something does not end. */
const toParts = (from: string): Part[] | undefined => {
  const parts: Part[] = [];
  let part: Part | undefined;
  for (let index = 0; index < from.length; ) {
    part ??= { text: '', bracketed: [], comments: [], hasMore: false };
    if (parts.at(-1) !== part) parts.push(part);
    const character = from.charAt(index);
    if (character === ',') {
      part = undefined;
      index += 1;
    } else if (character === '(') {
      const end = findCommentEnd(from, index);
      if (end === undefined) return undefined;
      part.comments.push(from.slice(index + 1, end).replace(/\\(.)/gs, '$1'));
      // A comment separates: programs disagree on addresses with one inside.
      part.text += ' ';
      index = end + 1;
    } else {
      TOKEN.lastIndex = index;
      const [token] = TOKEN.exec(from) ?? [];
      if (token === undefined) return undefined;
      if (character === '<') part.bracketed.push(token.slice(1, -1).trim());
      else {
        part.text += token;
        part.hasMore ||= part.bracketed.length > 0 && token.trim() !== '';
      }
      index += token.length;
    }
  }
  return parts;
};

const unquote = (text: string): string => text.replace(/\\(.)|"/gs, '$1');

const toAuthor = (written: string, name: string): Author | undefined => {
  if (written.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(written) || ENCODED_WORD.test(written)) {
    return undefined;
  }
  const at = written.lastIndexOf('@');
  const [local, domain] = [written.slice(0, at).replace(/^"([^\s"]+)"$/, '$1'), written.slice(at + 1)];
  const address = `${local.normalize('NFC')}@${toAsciiDomain(domain) ?? domain}`.toLowerCase();
  return { name: name.replace(/\s+/g, ' ').trim(), address, written };
};

/**
 * The authors in a From header, as all programs read it; none where they disagree: two bracketed addresses in one author,
 * an address within quotes or encoded words alone, no address at all. An address never comes from a name or a comment.
 *
 * Tokens come first, and only names and comments are decoded (RFC 2047, 5). postal-mime and nodemailer, the parsers that
 * are well kept, return one address where programs disagree, without a word about the others.
 *
 * @param from - the raw value of the only From field, or the text that `writeAuthors` made of it
 * @param decode - decodes the encoded words of a text; left out for what has none
 */
export const readAuthors = (from: string, decode = (text: string): string => text): Author[] => {
  const parts = from.length > MAX_FROM_LENGTH ? undefined : toParts(from);
  if (parts === undefined) return [];
  const authors: Author[] = [];
  // Many programs write `Doe, Ada <ada@example.com>` without quotes.
  let begun = '';
  for (const { text, bracketed, comments, hasMore } of parts) {
    const words = text.trim();
    const [address = words, ...others] = bracketed;
    const name = decode(unquote(bracketed.length > 0 ? begun + words : '')).trim();
    const author = toAuthor(address, name || decode(comments.join(' ')));
    if (author !== undefined && others.length === 0 && !hasMore && (bracketed.length > 0 || begun === '')) {
      authors.push(author);
      begun = '';
    } else if (bracketed.length > 0 || decode(unquote(words)).includes('@')) return [];
    else if (words !== '') begun += `${words}, `;
  }
  return begun === '' ? authors : [];
};

/** Writes a name or a phrase; what means something in a list of mailboxes is quoted. */
const writeName = (name: string, maxLength: number): string => {
  const isSpecial = /[()<>[\]:;@\\,"]/.test(name);
  const short = name.slice(0, Math.max(0, isSpecial ? Math.floor(maxLength / 2) : maxLength)).toWellFormed();
  return isSpecial ? `"${short.replace(/["\\]/g, '\\$&')}"` : short.trim();
};

/**
 * The authors as one text that {@link readAuthors} reads without decoding. Where it would be too long, names are cut, and
 * never addresses.
 *
 * @returns undefined where even the addresses are too long
 */
export const writeAuthors = (authors: readonly Author[], maxLength: number): string | undefined => {
  // Two quotes, a space and two brackets each, and what separates them.
  const fixed = authors.reduce((sum, { written }) => sum + written.length + 7, 0);
  if (authors.length === 0 || fixed > maxLength) return undefined;
  const forNames = Math.floor((maxLength - fixed) / authors.length);
  return authors
    .map(({ name, written }) => {
      const text = writeName(name, forNames);
      return text === '' || text === '""' ? written : `${text} <${written}>`;
    })
    .join(', ');
};

/**
 * An address, or a domain as `@example.com`, in the one spelling by which it is compared: in lower case, and the domain in
 * ASCII. Undefined for what is neither, and for several.
 */
export const toSenderName = (text: string): string | undefined => {
  const [author, ...others] = readAuthors(text);
  const name = (author?.address ?? text).trim().toLowerCase().normalize('NFC');
  const at = name.lastIndexOf('@');
  const domain = toAsciiDomain(name.slice(at + 1));
  if (domain === undefined || others.length > 0) return undefined;
  const local = name.slice(0, Math.max(at, 0)).replace(/^\*$/, '');
  return local === '' || LOCAL_PART.test(local) ? `${local}@${domain}` : undefined;
};

/** The names by which an email may be protected: of each author the address, and its domain with the domains above it. */
export const toSenderNames = (from: string): string[] => [
  ...new Set(
    readAuthors(from).flatMap(({ address }) => {
      const domain = address.slice(address.lastIndexOf('@') + 1);
      const labels = DOMAIN.test(domain) ? domain.split('.') : [];
      return [address, ...labels.slice(0, -1).map((_, index) => `@${labels.slice(index).join('.')}`)];
    }),
  ),
];
