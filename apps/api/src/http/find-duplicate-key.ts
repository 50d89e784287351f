/** Where the string that begins at an index ends: the index of its closing quote. */
const findStringEnd = (json: string, start: number): number => {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
};

/**
 * The first key that occurs twice in the same object, whichever way it is escaped.
 *
 * @param json - valid JSON text; one pass over it, however deep it is nested
 */
export const findDuplicateKey = (json: string): string | undefined => {
  /** The keys of each object that is open, null for an array. */
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = findStringEnd(json, at);
      const keys = open.at(-1);
      if (isKeyNext && keys) {
        const key = JSON.parse(json.slice(at, end + 1)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
        isKeyNext = false;
      }
      at = end;
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      isKeyNext = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      isKeyNext = open.at(-1) !== null;
    }
  }
  return undefined;
};
