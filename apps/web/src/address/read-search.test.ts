import { describe, expect, it } from 'vitest';
import { readChoice, readMatch, readText, readWholeNumber } from './read-search.ts';

describe('a value of the address bar', () => {
  it.each([
    ['daily', 'daily'],
    ['hourly', undefined],
    [1, undefined],
    [undefined, undefined],
  ])('is one of some choices: %s', (value, read) => {
    expect(readChoice(value, ['daily', 'weekly'])).toBe(read);
  });

  it.each([
    [1, 1],
    [30, 30],
    [31, undefined],
    [0, undefined],
    [1.5, undefined],
    ['7', undefined],
    [Number.NaN, undefined],
  ])('is a whole number in a range: %s', (value, read) => {
    expect(readWholeNumber(value, { min: 1, max: 30 })).toBe(read);
  });

  it.each([
    ['from:shop', 'from:shop'],
    [2026, '2026'],
    [true, 'true'],
    ['🧾'.repeat(6), undefined],
    [{ a: 1 }, undefined],
  ])('is a text of a limited length: %s', (value, read) => {
    expect(readText(value, 10)).toBe(read);
  });

  it.each([
    ['abc', 'abc'],
    ['abc!', undefined],
    [123, undefined],
  ])('is a text of a given form: %s', (value, read) => {
    expect(readMatch(value, /^\w+$/)).toBe(read);
  });
});
