/** The words of a search, as texts are compared with them. */
export const toWords = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a text has every one of these words, in any order and case. */
export const hasWords = (text: string, words: readonly string[]): boolean => {
  const searched = text.toLowerCase();
  return words.every((word) => searched.includes(word));
};
