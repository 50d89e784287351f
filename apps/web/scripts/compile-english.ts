import { compileMessage } from '@lingui/message-utils/compileMessage';
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite';

const findText = ({ properties }: ESTree.ObjectExpression, name: string) => {
  for (const property of properties) {
    if (property.type !== 'Property' || property.value.type !== 'Literal') continue;
    const { key, value } = property;
    const isNamed =
      (key.type === 'Identifier' && key.name === name) || (key.type === 'Literal' && key.value === name);
    if (isNamed && typeof value.value === 'string')
      return { text: value.value, start: value.start, end: value.end };
  }
  return undefined;
};

/** Replaces the texts that the macros left with compiled messages. */
const withCompiledMessages = (fileName: string, code: string): string => {
  const messages: { text: string; start: number; end: number }[] = [];
  new Visitor({
    ObjectExpression: (object) => {
      const message = findText(object, 'message');
      if (message && findText(object, 'id')) messages.push(message);
    },
  }).visit(parseSync(fileName, code).program);
  // From the end, so that earlier places stay.
  return messages
    .sort((a, b) => b.start - a.start)
    .reduce(
      (rest, { text, start, end }) =>
        rest.slice(0, start) + JSON.stringify(compileMessage(text)) + rest.slice(end),
      code,
    );
};

/**
 * Compiles the English messages in place, after the macros. English then needs no catalog, each screen carries its
 * own texts, and the browser needs no message parser.
 */
export const compileEnglish = (): Plugin => ({
  name: 'mailsweep-compile-english',
  apply: 'build',
  transform: {
    filter: { id: /\/apps\/web\/src\/[^?]+\.tsx?$/, code: /message:/ },
    handler: (code, id) => ({ code: withCompiledMessages(id, code), map: null }),
  },
});
