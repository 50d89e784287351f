import {
  AnySuggestedActionSchema,
  MAX_CLASSIFICATION_LENGTH,
  type Suggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { z } from 'zod';
import { MlUnavailableError } from './ml-client.ts';

const MAX_SUGGESTIONS = 10;
/** Most suggestions looked at for one email; bounds the work that a huge response can cause. */
const MAX_SUGGESTIONS_READ = 100;
const MAX_ID_LENGTH = 200;

/**
 * Text that can be stored and shown: without control characters (the database refuses NUL), lone surrogates (it
 * refuses them, too) and marks that reverse the reading direction of what stands around them.
 */
const toSafeText = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength * 2)
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, maxLength)
    // The cut may have parted a surrogate pair.
    .replace(/\p{Cs}/gu, '');

const clampToUnit = (score: number): number => Math.min(1, Math.max(0, score));

const LenientSuggestionSchema = z
  .object({
    // Not cleaned like other texts: what is no known action must not become one.
    action: AnySuggestedActionSchema,
    classification: z.string().transform((text) => toSafeText(text, MAX_CLASSIFICATION_LENGTH)),
    confidence_score: z.number().transform(clampToUnit),
    id: z
      .string()
      .transform((text) => toSafeText(text, MAX_ID_LENGTH))
      .optional()
      .catch(undefined),
  })
  .transform(({ id, ...suggestion }) => (id ? { ...suggestion, id } : suggestion))
  .pipe(SuggestionSchema);

/**
 * The suggestions that can be read, in the order given: scores are bounded to 0…1, texts cleaned and cut, and a
 * malformed suggestion is dropped. Of more than ten, the ten most confident stay, most confident first.
 */
const readSuggestions = (raw: readonly unknown[]): Suggestion[] => {
  const readable = raw.slice(0, MAX_SUGGESTIONS_READ).flatMap((suggestion): Suggestion[] => {
    const reading = LenientSuggestionSchema.safeParse(suggestion);
    return reading.success ? [reading.data] : [];
  });
  if (readable.length <= MAX_SUGGESTIONS) return readable;
  return readable.toSorted((a, b) => b.confidence_score - a.confidence_score).slice(0, MAX_SUGGESTIONS);
};

/** What a response says about one email, before anything in it is trusted. */
type Entry = [emailId: string, suggestions: unknown[]];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readItem = (item: unknown): Entry[] => {
  if (!isObject(item)) return [];
  const id = item.id ?? item.emailId;
  return typeof id === 'string' && Array.isArray(item.suggestions) ? [[id, item.suggestions]] : [];
};

const readMapEntry = ([id, value]: [string, unknown]): Entry[] => (Array.isArray(value) ? [[id, value]] : []);

/** The readable entries of a response and how many it has in all; null when its shape is none of those known. */
const readEntries = (body: unknown): { entries: Entry[]; total: number } | null => {
  if (Array.isArray(body)) return { entries: body.flatMap(readItem), total: body.length };
  if (!isObject(body)) return null;
  const map = Object.hasOwn(body, 'suggestionsById') ? body.suggestionsById : body;
  if (!isObject(map)) return null;
  const pairs = Object.entries(map);
  return { entries: pairs.flatMap(readMapEntry), total: pairs.length };
};

/**
 * Reads the response of the classification service. Three shapes are known (docs/decisions/004):
 * `[{ id | emailId, suggestions }]`, which is canonical, `{ [id]: suggestions }`, and
 * `{ suggestionsById: { [id]: suggestions } }`. Ids that were not sent and malformed suggestions are dropped;
 * an id that the response leaves out gets an empty list.
 *
 * @param sentIds - the ids of the emails sent; the map returned has exactly these keys
 * @throws {MlUnavailableError} `ml_bad_response` for any other shape, and for a response with entries of which none
 *   can be read or none is about an email that was sent
 */
export const readMlResponse = (body: unknown, sentIds: readonly string[]): Map<string, Suggestion[]> => {
  const response = readEntries(body);
  const rawById = new Map<string, unknown[][]>(sentIds.map((id) => [id, []]));
  const known = response?.entries.filter(([id]) => rawById.has(id)) ?? [];
  if (response === null || (response.total > 0 && known.length === 0)) {
    throw new MlUnavailableError('ml_bad_response', 'the response has none of the known shapes');
  }
  // The response may have the same email more than once.
  for (const [id, suggestions] of known) rawById.get(id)?.push(suggestions);
  return new Map(Array.from(rawById, ([id, lists]) => [id, readSuggestions(lists.flat())]));
};
