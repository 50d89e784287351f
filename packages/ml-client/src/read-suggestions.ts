import {
  AnySuggestedActionSchema,
  MAX_CLASSIFICATION_LENGTH,
  type Suggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { z } from 'zod';

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
export const readSuggestions = (raw: readonly unknown[]): Suggestion[] => {
  const readable = raw.slice(0, MAX_SUGGESTIONS_READ).flatMap((suggestion): Suggestion[] => {
    const reading = LenientSuggestionSchema.safeParse(suggestion);
    return reading.success ? [reading.data] : [];
  });
  if (readable.length <= MAX_SUGGESTIONS) return readable;
  return readable.toSorted((a, b) => b.confidence_score - a.confidence_score).slice(0, MAX_SUGGESTIONS);
};
