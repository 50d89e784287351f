import { type Plugin, parseSync, Visitor } from 'vite';

const CONTRACTS = /\/packages\/contracts\/src\/[^?]+\.ts$/;

/** Cuts `.meta({ … })` off the schemas in some code: what the reference of the API says of them. */
const withoutDescriptions = (fileName: string, code: string): string => {
  const cuts: { start: number; end: number }[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: given, end }) => {
      // Without arguments it reads a description.
      if (given.length === 0 || callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier')
        return;
      if (callee.property.name === 'meta') cuts.push({ start: callee.object.end, end });
    },
  }).visit(parseSync(fileName, code).program);
  // From the end, so that earlier places stay; a schema within a description does not occur.
  return cuts
    .sort((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), code);
};

/** Leaves the descriptions of the contract's schemas out of the app, which has no use for them. */
export const dropDescriptions = (): Plugin => ({
  name: 'mailsweep-drop-descriptions',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: CONTRACTS },
    handler: (code, id) => ({ code: withoutDescriptions(id, code), map: null }),
  },
});
