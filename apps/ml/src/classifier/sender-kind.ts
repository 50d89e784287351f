/**
 * bulk: the address says that it writes to many (newsletters, offers). posting: the address says that it passes on what others
 * post, or what a build does. automated: the address says that a machine writes (no-reply, notifications). other: all others,
 * mostly people.
 */
export type SenderKind = 'bulk' | 'posting' | 'automated' | 'other';

/** Longest address by RFC 5321, 4.5.3.1; a longer address is not examined. */
const MAX_ADDRESS_LENGTH = 320;

const BULK_WORDS = new Set([
  'newsletter',
  'newsletters',
  'news',
  'marketing',
  'mailer',
  'mailing',
  'mailings',
  'mailout',
  'deals',
  'offers',
  'promo',
  'promos',
  'promotion',
  'promotions',
  'sale',
  'campaign',
  'campaigns',
  'digest',
  'bulletin',
  'announcements',
  'rundbrief',
  'infolettre',
  'boletin',
  'nieuwsbrief',
]);

const AUTOMATED_WORDS = new Set([
  'notification',
  'notifications',
  'notify',
  'notifier',
  'alert',
  'alerts',
  'update',
  'updates',
  'automated',
  'autoreply',
  'system',
  'daemon',
  'bounce',
  'bounces',
]);

const POSTING_WORDS = new Set(['bot', 'lists', 'listserv', 'community']);

/** No-reply in several languages, as it reads without its separators. */
const NO_REPLY = /noreply|donotreply|dontreply|nichtantworten|nepasrepondre|noresponder|naoresponda/;

/** The bare address of a `From` header such as `Ann <ann@example.org>`, in lower case; empty when there is none. */
const toAddress = (from: string): string => {
  const end = from.lastIndexOf('>');
  const start = from.lastIndexOf('<', end);
  const address = start >= 0 && end > start ? from.slice(start + 1, end) : from;
  const trimmed = address.trim().toLowerCase();
  return trimmed.length <= MAX_ADDRESS_LENGTH && trimmed.includes('@') ? trimmed : '';
};

/** The kind of sender by its address; the display name is ignored, since the sender chooses it freely. */
export const toSenderKind = (from: string): SenderKind => {
  const address = toAddress(from);
  const at = address.lastIndexOf('@');
  const localPart = address.slice(0, Math.max(0, at));
  // The registered name and its ending say who it is, not how they write: somebody@news.example is a person.
  const subdomains = address
    .slice(at + 1)
    .split('.')
    .slice(0, -2);
  const words = [localPart, ...subdomains].flatMap((part) => part.split(/[^\p{L}]+/u));
  if (words.some((word) => BULK_WORDS.has(word))) return 'bulk';
  if (words.some((word) => POSTING_WORDS.has(word))) return 'posting';
  if (NO_REPLY.test(localPart.replace(/[^\p{L}]/gu, ''))) return 'automated';
  return words.some((word) => AUTOMATED_WORDS.has(word)) ? 'automated' : 'other';
};
