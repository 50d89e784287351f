import type { Suggestion } from '@mailsweep/contracts';
import { MlUnavailableError } from './ml-client.ts';
import { readSuggestions } from './read-suggestions.ts';

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
