import { describe, expect, it } from 'vitest';
import { readPageToken, writePageToken } from './list-emails.ts';

describe('a page token', () => {
  it.each([
    [30, '01234567890123456789'],
    [0, 'a.b.c'],
    [999_999_999, '.'],
  ])('carries %i emails and the provider’s %j', (counted, providerToken) => {
    expect(readPageToken(writePageToken(counted, providerToken))).toEqual({ counted, providerToken });
  });

  it.each(['01234567890123456789', '-1.token', 'x.token', '1.', '1234567890.token'])(
    'that is not one of ours goes to the provider as it is: %j',
    (providerToken) => {
      expect(readPageToken(providerToken)).toEqual({ counted: 0, providerToken });
    },
  );

  it('of a first page is none', () => {
    expect(readPageToken(undefined)).toEqual({ counted: 0, providerToken: undefined });
  });
});
