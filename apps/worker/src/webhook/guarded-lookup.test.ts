import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createGuardedLookup, type ResolveAll } from './guarded-lookup.ts';

describe('a guarded look-up', () => {
  it('answers with all addresses that it has checked, so that the connection goes to one of those', async () => {
    const found = await lookUp(['192.0.2.7', '2001:db8::7'], { all: true });
    expect(found).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ]);
  });

  it('answers with the first address where one is asked for', async () => {
    expect(await lookUp(['192.0.2.7', '192.0.2.8'], { all: false })).toBe('192.0.2.7');
  });

  it('refuses a name that leads to a metadata address, even among others', async () => {
    await expect(lookUp(['192.0.2.7', '169.254.169.254'], { all: true })).rejects.toMatchObject({
      code: 'address_refused',
    });
  });

  it('refuses a name that leads nowhere', async () => {
    await expect(lookUp([], { all: true })).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('passes on that a name is not known', async () => {
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
