import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStorableJson, toStorableJsonText } from './to-storable-json.ts';

describe('storable JSON', () => {
  it('has neither NUL nor a lone surrogate, in values and in keys, however deep', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: HOSTILE_UNIT }), (value) => {
        const text = JSON.stringify(toStorableJson(value));
        expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
    );
  });

  it('is the same as text', () => {
    fc.assert(
      fc.property(fc.dictionary(HOSTILE_TEXT, fc.jsonValue({ stringUnit: HOSTILE_UNIT })), (value) => {
        expect(toStorableJsonText(value)).toBe(JSON.stringify(toStorableJson(value)));
      }),
    );
  });

  it('leaves everything else as it is', () => {
    const value = { text: 'Grüße 🌷', list: [1, 0.5, true, null], nested: { empty: {} } };
    expect(toStorableJson(value)).toEqual(value);
  });

  it('leaves absent fields out', () => {
    expect(toStorableJson({ id: undefined, kept: 1 })).toStrictEqual({ kept: 1 });
  });
});

const HOSTILE_UNIT = fc.constantFrom('a', 'é', '🌷', '\u0000', '\ud83c', '\udf37', '\u202e');
const HOSTILE_TEXT = fc.string({ unit: HOSTILE_UNIT });
