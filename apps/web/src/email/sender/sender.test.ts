import { describe, expect, it } from 'vitest';
import { describeSender, parseSender, toInitials } from './sender.ts';

describe('a sender', () => {
  it.each([
    ['Ann Lee <ann@x.example>', 'Ann Lee', 'ann@x.example'],
    ['"Kühn, Jörg" <joerg@x.example>', 'Kühn, Jörg', 'joerg@x.example'],
    ['"Say \\"hi\\"" <a@x.example>', 'Say "hi"', 'a@x.example'],
    ['no-reply@x.example', 'no-reply@x.example', 'no-reply@x.example'],
    ['<a@x.example>', 'a@x.example', 'a@x.example'],
    ['', 'Unknown sender', ''],
    ['domain:shop.example', 'shop.example', 'shop.example'],
  ])('is read from %s', (from, name, address) => {
    expect(parseSender(from)).toMatchObject({ name, address });
  });

  it('is the same one whatever the case of the address and whatever the name', () => {
    expect(parseSender('Shop <NEWS@x.example>').key).toBe(parseSender('The Shop <news@X.example>').key);
  });

  it.each([
    [undefined, 'The Shop', 'news@shop.example'],
    [{ by: 'domain', name: 'shop.example', addresses: 1 }, 'shop.example', 'news@shop.example'],
    [{ by: 'list', name: 'offers@shop.example', addresses: 2 }, 'offers@shop.example', '2 addresses'],
    // Its emails that came by no list.
    [{ by: 'list', name: 'news@shop.example', addresses: 1 }, 'The Shop', 'news@shop.example'],
  ] as const)('is described by its group %s', (group, title, detail) => {
    expect(describeSender({ from: 'The Shop <news@shop.example>', group })).toEqual({ title, detail });
  });

  it.each([
    ['Ann Lee', 'AL'],
    ['山田太郎', '山'],
    ['🌷 Garden', 'G'],
    ['!!!', '?'],
  ])('has initials: %s', (name, initials) => {
    expect(toInitials(name)).toBe(initials);
  });
});
