/** Our bodies are flat objects with a handful of fields. */
const MAX_DEPTH = 32;
const MAX_KEYS = 1_000;

const [QUOTE, BACKSLASH, COLON] = ['"', '\\', ':'].map((character) => character.charCodeAt(0));
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'[]{}'].map((bracket) =>
  bracket.charCodeAt(0),
);

/**
 * Whether JSON text nests deeper, or has more keys in total, than any body of ours. What such a body costs to parse and
 * validate, in time and memory, is far more than what it costs to send, so it is looked at before it is parsed.
 *
 * @param text - JSON text, or what claims to be
 */
export const isTooComplex = (text: string): boolean => {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at += 1;
        while (at < text.length && text.charCodeAt(at) !== QUOTE) {
          at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
        }
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > MAX_DEPTH) return true;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COLON:
        keys += 1;
        if (keys > MAX_KEYS) return true;
        break;
    }
  }
  return false;
};
