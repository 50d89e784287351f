import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createGuardedLookup, type ResolveAll } from './guarded-lookup.ts';

describe('a guarded look-up', () => {
  it('returns the vetted addresses, so that the connection is pinned to them', async () => {
    const found = await lookUp(['192.0.2.7', '2001:db8::7'], { all: true });
    expect(found).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('returns the first address when one is asked for', async () => {
    expect(await lookUp(['192.0.2.7', '192.0.2.8'], { all: false })).toBe('192.0.2.7');
  });

  it('refuses a name that resolves to a metadata address, even among others', async () => {
    await expect(lookUp(['192.0.2.7', '169.254.169.254'], { all: true })).rejects.toMatchObject({
      code: 'address_refused',
    });
  });

  it('refuses a name without addresses', async () => {
    await expect(lookUp([], { all: true })).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('passes on the error of an unknown name', async () => {
    const fail: ResolveAll = (_name, _options, done) =>
      done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    await expect(lookUpWith(fail, { all: true })).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

const lookUpWith = (resolveAll: ResolveAll, options: { all: boolean }) =>
  new Promise((resolve, reject) => {
    createGuardedLookup({ allowPrivate: true }, resolveAll)('hooks.example.com', options, (error, found) =>
      error === null ? resolve(found) : reject(error),
    );
  });

const lookUp = (addresses: string[], options: { all: boolean }) =>
  lookUpWith(
    (_name, _options, done) =>
      done(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    options,
  );
