import vocabulary from './vocabulary.json' with { type: 'json' };

/**
 * What subjects are about. The vocabulary has phrases by topic and language, separated by `;`: `*` stands for any ending,
 * `…` for what may be between, such as the number of a flight.
 */
export type Topic = keyof typeof vocabulary;

/** Languages that join words together: what begins there may go on, and longer words also count inside a word. */
const JOINING = new Set(['de', 'ja', 'zh', 'ko', 'he', 'ar']);
/** Shorter ones are found in too many other words. */
const MIN_INSIDE = 6;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Most characters between the parts of a phrase. */
const MAX_GAP = 30;
/** Most characters that phrases are found by. */
const KEY_LENGTH = 3;

interface Phrase {
  topic: Topic;
  parts: { text: string; isOpen: boolean }[];
  isInside: boolean;
}

const PHRASES = new Map<string, Phrase[]>();
for (const [topic, languages] of Object.entries(vocabulary))
  for (const [language, phrases] of Object.entries(languages))
    for (const phrase of phrases.split(/;\s*/)) {
      const isJoined = JOINING.has(language);
      const parts = phrase
        .replaceAll('* ', '*…')
        .split('…')
        .map((part) => ({
          text: part.replace('*', '').trim(),
          isOpen: isJoined || part.trim().endsWith('*'),
        }));
      const key = (parts[0]?.text ?? '').slice(0, KEY_LENGTH);
      const isInside = UNSPACED.test(phrase) || (isJoined && phrase.length >= MIN_INSIDE);
      PHRASES.set(key, [...(PHRASES.get(key) ?? []), { topic: topic as Topic, parts, isInside }]);
    }

const isWithinWord = (text: string, at: number): boolean =>
  /^[\p{L}\p{N}]{2}$/u.test(text.slice(Math.max(0, at - 1), at + 1));

const isAt = (
  text: string,
  at: number,
  part: { text: string; isOpen: boolean },
  isInside: boolean,
): boolean =>
  text.startsWith(part.text, at) &&
  (isInside || !isWithinWord(text, at)) &&
  (part.isOpen || !isWithinWord(text, at + part.text.length));

const isPhraseAt = (text: string, start: number, { parts, isInside }: Phrase): boolean => {
  const [first, ...others] = parts;
  if (first === undefined || !isAt(text, start, first, isInside)) return false;
  let end = start + first.text.length;
  for (const part of others) {
    let at = text.indexOf(part.text, end);
    while (at >= 0 && !isAt(text, at, part, isInside)) at = text.indexOf(part.text, at + 1);
    if (at < 0 || at > end + MAX_GAP) return false;
    end = at + part.text.length;
  }
  return true;
};

/** Longest beginning of a subject that is searched, in UTF-16 units. */
const MAX_LENGTH = 300;

/** The topics whose words a subject has. */
export const findTopics = (subject: string): Set<Topic> => {
  const text = subject.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase().replaceAll('’', "'");
  const topics = new Set<Topic>();
  for (let start = 0; start < text.length; start++)
    for (let length = 1; length <= KEY_LENGTH; length++)
      for (const phrase of PHRASES.get(text.slice(start, start + length)) ?? [])
        if (!topics.has(phrase.topic) && isPhraseAt(text, start, phrase)) topics.add(phrase.topic);
  return topics;
};
