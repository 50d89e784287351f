/** The value that a JSON text stands for; undefined when it is none. The error is dropped: it quotes the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
