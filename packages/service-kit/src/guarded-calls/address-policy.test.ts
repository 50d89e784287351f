import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import {
  createGuardedLookup,
  findLiteralAddress,
  isAddressAllowed,
  type ResolveAll,
} from './address-policy.ts';

describe('the address policy', () => {
  it.each([
    ['169.254.169.254', 'the metadata service of most clouds'],
    ['169.254.0.1', 'any other link-local address'],
    ['fe80::1', 'a link-local address of IPv6'],
    ['fd00:ec2::254', 'the metadata service of AWS over IPv6'],
    ['fd00:0ec2:0:0:0:0:0:0254', 'the same, written out'],
    ['::ffff:169.254.169.254', 'the same as an IPv4-mapped address'],
    ['::FFFF:A9FE:A9FE', 'the same in hexadecimal'],
    ['64:ff9b::a9fe:a9fe', 'the same behind NAT64'],
    ['64:ff9b:1::a9fe:a9fe', "the same behind a network's own NAT64"],
    ['64:ff9b:1:a9fe:a9:fe00::', 'the same, elsewhere in the address'],
    ['::ffff:0:a9fe:a9fe', 'the same, translated'],
    ['::a9fe:a9fe', 'the same as an IPv4-compatible address'],
    ['::169.254.169.254', 'the same with dots'],
    ['2002:a9fe:a9fe::1', 'the same by 6to4'],
    ['2001:0:a9fe:a9fe::1', 'the same as a Teredo server'],
    ['2001:0:5db8:d70e:0:0:5601:5601', 'the same as a Teredo client'],
    ['2002:6464:64c8::1', 'the metadata service of Alibaba Cloud by 6to4'],
    ['fd00:ec2::254%eth0', 'the metadata service of AWS with a zone'],
    ['100.100.100.200', 'the metadata service of Alibaba Cloud'],
    ['168.63.129.16', "Azure's wire server"],
    ['224.0.0.1', 'a multicast group'],
    ['not an address', 'anything else'],
  ])('never lets a webhook go to %s: %s', (address) => {
    expect(isAddressAllowed(address, { allowPrivate: true })).toBe(false);
    expect(isAddressAllowed(address, { allowPrivate: false })).toBe(false);
  });

  it.each([
    '127.0.0.1',
    '::1',
    '::127.0.0.1',
    '::a01:203',
    '64:ff9b::a01:203',
    '2002:a01:203::1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    'fd12::1',
    '100.64.0.1',
    '0.0.0.0',
  ])('lets a webhook go to the private address %s, unless that is switched off', (address) => {
    expect(isAddressAllowed(address, { allowPrivate: true })).toBe(true);
    expect(isAddressAllowed(address, { allowPrivate: false })).toBe(false);
  });

  it.each(['93.184.215.14', '64:ff9b::5db8:d70e', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
    'lets a webhook go to the public address %s',
    (address) => {
      expect(isAddressAllowed(address, { allowPrivate: false })).toBe(true);
    },
  );
});

describe('the address in a URL', () => {
  it.each([
    ['http://169.254.169.254/latest', '169.254.169.254'],
    ['http://0xa9fea9fe/', '169.254.169.254'],
    ['http://[fe80::1]:8080/', 'fe80::1'],
    ['http://hooks.example.com/', undefined],
  ])('of %s is %s', (url, address) => {
    expect(findLiteralAddress(url)).toBe(address);
  });
});

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
