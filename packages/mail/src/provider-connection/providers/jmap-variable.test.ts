import { parseConfig } from '@mailsweep/service-kit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { JmapProvidersSchema } from './jmap-variable.ts';

const OAUTH = {
  key: 'fastmail',
  name: 'Fastmail',
  sessionUrl: 'https://api.fastmail.com/jmap/session',
  issuer: 'https://api.fastmail.com/',
  clientId: 'hunter2',
};
const OWN = { key: 'own', name: 'My server', sessionUrl: 'http://localhost:8080/jmap/session', token: true };

const read = (value: unknown) =>
  parseConfig(z.object({ JMAP_PROVIDERS: JmapProvidersSchema.default([]) }), {
    JMAP_PROVIDERS: typeof value === 'string' ? value : JSON.stringify(value),
  }).JMAP_PROVIDERS;

describe('JMAP_PROVIDERS', () => {
  test('names servers with OAuth, and those for which users make a token', () => {
    expect(read([OAUTH, OWN])).toEqual([
      {
        ...OAUTH,
        issuer: 'https://api.fastmail.com',
        scopes: ['urn:ietf:params:jmap:core', 'urn:ietf:params:jmap:mail', 'offline_access'],
      },
      { ...OWN, scopes: expect.any(Array) },
    ]);
  });

  test('is empty by default', () => {
    expect(read('')).toEqual([]);
  });

  test.each([
    ['no JSON', '[hunter2', 'must be a list in JSON'],
    ['no list', OAUTH, 'must be a list in JSON'],
    ['no object', ['hunter2'], 'entry 1: is malformed'],
    ['no key', [OWN, { ...OAUTH, key: undefined }], 'entry 2: key is required'],
    ['a key with a colon', [{ ...OAUTH, key: 'a:b' }], 'entry 1: key must be up to 32 of a-z, 0-9 and -'],
    ['the key of Gmail', [{ ...OAUTH, key: 'gmail' }], 'entry 1: key must not be gmail'],
    ['a key twice', [OAUTH, OAUTH], 'entry 2: key is that of another entry'],
    ['an unknown field', [{ ...OAUTH, clientID: 'hunter2' }], 'entry 1: has unknown fields: clientID'],
    [
      'tokens in the clear',
      [{ ...OWN, sessionUrl: 'http://mail.example/' }],
      'entry 1: sessionUrl must be an https',
    ],
    [
      'a secret in an address',
      [{ ...OWN, sessionUrl: 'https://a:hunter2@mail.example/' }],
      'entry 1: sessionUrl',
    ],
    ['no address', [{ ...OAUTH, issuer: 'hunter2' }], 'entry 1: issuer must be an https address'],
    ['no way to sign in', [{ ...OWN, token: undefined }], 'entry 1: issuer is required without token'],
    ['two ways to sign in', [{ ...OAUTH, token: true }], 'entry 1: token must not be set beside issuer'],
    ['no client', [{ ...OAUTH, clientId: undefined }], 'entry 1: clientId is required'],
    ['no scopes', [{ ...OAUTH, scopes: [] }], 'entry 1: scopes must not be empty'],
    ['a scope with a space', [{ ...OAUTH, scopes: ['a b'] }], 'entry 1: scopes 0 must be a scope of OAuth'],
    ['a number', [{ ...OAUTH, clientSecret: 7 }], 'entry 1: clientSecret is malformed'],
  ])('with %s is refused by entry and field, and without its value', (_case, value, message) => {
    expect(() => read(value)).toThrow(`JMAP_PROVIDERS: ${message}`);
    expect(() => read(value)).not.toThrow('hunter2');
  });
});
