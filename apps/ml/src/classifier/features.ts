import type { MlRequestItem } from '@mailsweep/contracts';
import domains from './domains.json' with { type: 'json' };
import { parseSender } from './sender.ts';
import { findTopics, type Topic } from './topics.ts';

/** Something that an email has. */
export interface Feature {
  /** In words for people. */
  name: string;
  /** Rows of its weights. */
  rows: number[];
  /** How much each row counts: fields have the same say, however many words they have. */
  value: number;
  /** Has a dropout rate of its own in training. */
  group: Group;
}

/** What is said, what our vocabulary makes of it, and who says it. */
export type Group = 'words' | 'topics' | 'firm';

/** Rows of weights; features are hashed into them, and those that collide share a weight. */
export const ROWS = 2 ** 18;

/** Kinds of business, by registered domains, and by names that firms have as domains in many countries. */
const BUSINESSES = new Map(
  Object.entries(domains).flatMap(([kind, firms]) => firms.split(' ').map((firm) => [firm, kind] as const)),
);

/** Longest beginning of a text that is read, in UTF-16 units. */
const MAX_LENGTH = 300;
/** Scripts without spaces between words. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u;
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|[\p{L}\p{M}']+|\p{N}+|[%‰€$£¥₹₽!?:[【@]|\p{Extended_Pictographic}/gu;

/** FNV-1a with a last mix. */
const toRow = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return ((value ^ (value >>> 15)) >>> 0) % ROWS;
};

/** Numbers differ from email to email: their length says enough. */
const toToken = (token: string): string => {
  if (/^\p{N}/u.test(token)) return '0'.repeat(Math.min(token.length, 5));
  return /^\p{Extended_Pictographic}/u.test(token) ? '☺' : token;
};

const tokenize = (text: string): string[] => {
  const normal = text.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase().replaceAll('’', "'");
  return (normal.match(TOKEN) ?? []).map(toToken);
};

const toGrams = (text: string, shortest: number, longest: number): string[] => {
  const characters = Array.from(text);
  return Array.from({ length: longest - shortest + 1 }, (_, step) => shortest + step).flatMap((size) =>
    Array.from({ length: Math.max(0, characters.length - size + 1) }, (__, start) =>
      characters.slice(start, start + size).join(''),
    ),
  );
};

/** Features of a word: itself and its parts, so that inflected and compound words are alike. */
const toKeys = (field: string, word: string): string[] => {
  if (UNSPACED.test(word)) return toGrams(word, 1, 4).map((gram) => `${field}=${gram}`);
  const parts = word.length < 3 ? [] : toGrams(`^${word}$`, 3, 5);
  return [`${field}=${word}`, ...parts.map((part) => `${field}~${part}`)];
};

interface Named {
  name: string;
  keys: string[];
}

/** @param weight - of the field */
const toFeatures = (features: Named[], weight = 1, group: Group = 'words'): Feature[] => {
  const count = features.reduce((sum, { keys }) => sum + keys.length, 0);
  return features.map(({ name, keys }) => ({
    name,
    rows: keys.map(toRow),
    value: weight / Math.sqrt(Math.max(1, count)),
    group,
  }));
};

const wordsOf = (field: string, place: string, words: string[]): Named[] =>
  words.map((word) => ({ name: `“${word}” in the ${place}`, keys: toKeys(field, word) }));

const TOPIC_NAMES: Partial<Record<Topic, string>> = {
  urgent: 'action',
  offer: 'offers',
  code: 'codes',
  cover: 'insurance',
  trip: 'travel',
  parcel: 'deliveries',
  delivered: 'deliveries',
};
const toTopicName = (topic: Topic): string => `words about ${TOPIC_NAMES[topic] ?? topic}`;

/**
 * What the model sees of an email.
 *
 * @param topics - of its subject
 */
export const toEmailFeatures = (
  email: Pick<MlRequestItem, 'from' | 'subject' | 'category' | 'attachmentSizeMb'>,
  topics: ReadonlySet<Topic>,
): Feature[] => {
  const { name, address, domain, isPerson, isCommon } = parseSender(email.from);
  const tokens = tokenize(email.subject);
  const pairs = tokens.map((token, index) => ({
    name: `“${tokens.slice(Math.max(0, index - 1), index + 1).join(' ')}” in the subject`,
    keys: [`p=${tokens[index - 1] ?? '^'} ${token}`],
  }));
  const skipPairs = [2, 3].flatMap((gap) =>
    tokens.slice(gap).map((token, index) => ({
      name: `“${tokens[index]} … ${token}” in the subject`,
      keys: [`k=${tokens[index]} ${token}`],
    })),
  );
  const [brand = ''] = domain.split('.');
  const business = BUSINESSES.get(domain) ?? BUSINESSES.get(brand);
  const isBrand = name.some((word) => word.length > 2 && brand.includes(word));
  const traits: [name: string, key: string, isThere?: boolean][] = [
    [`the category ${email.category}`, `c=${email.category}`],
    ['an attachment', 'attachment', email.attachmentSizeMb > 0],
    ['an address after a person’s name', 'person', isPerson],
    ['an address at a provider for everybody', 'common', isCommon],
    ['a sender called as its domain', 'brand', isBrand],
    ['a domain that sells leads', 'seller', findTopics(domain).has('seller')],
    ['the length of the sender’s name', `names=${Math.min(4, name.length)}`],
    ['the end of the sender’s domain', `end=${domain.slice(domain.indexOf('.'))}`],
    ['the length of the subject', `length=${Math.min(6, tokens.length >> 1)}`],
  ];
  const topicNames = [...topics].map((topic) => ({ name: toTopicName(topic), keys: [`t=${topic}`] }));
  // The same words say something else in another place.
  const places = [email.category, ...topics];
  const placed = [...address, ...topics].map((word) => ({
    name: topics.has(word as Topic) ? toTopicName(word as Topic) : `“${word}” in the sender’s address`,
    keys: places.map((place) => `at=${word} ${place}`),
  }));
  const beside = ['', email.category, ...address, ...(topics.size > 0 ? topics : ['none'])];
  const businessPairs = beside.map((one) => ({
    name: `a sender known for ${business}`,
    keys: [`kind=${business} ${one}`],
  }));
  return [
    ...toFeatures(wordsOf('s', 'subject', tokens), 2),
    ...toFeatures(pairs, 1),
    ...toFeatures(skipPairs, 0.7),
    ...toFeatures(business === undefined ? [] : businessPairs),
    ...toFeatures(wordsOf('a', 'sender’s address', address), 1.5),
    ...toFeatures(topicNames, 1, 'topics'),
    ...toFeatures(placed, 1, 'topics'),
    ...toFeatures(
      [
        ...wordsOf('n', 'sender’s name', name),
        { name: `the domain ${domain}`, keys: [`d=${domain}`] },
        ...(brand.match(/\p{L}+/gu) ?? []).map((word) => ({
          name: `the domain ${domain}`,
          keys: toKeys('w', word),
        })),
      ],
      1,
      'firm',
    ),
    ...toFeatures(
      traits.flatMap(([trait, key, isThere = true]) => (isThere ? [{ name: trait, keys: [key] }] : [])),
      2,
    ),
  ];
};
