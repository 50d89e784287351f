import fc from 'fast-check';

/** Any text at all, control characters and lone surrogates included. */
export const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
