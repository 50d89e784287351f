import { describe, expect, it } from 'vitest';
import { parseSender, toInitials } from './sender.ts';

describe('a sender', () => {
  it.each([
    ['Ann Lee <ann@x.example>', 'Ann Lee', 'ann@x.example'],
    ['"Kühn, Jörg" <joerg@x.example>', 'Kühn, Jörg', 'joerg@x.example'],
    ['"Say \\"hi\\"" <a@x.example>', 'Say "hi"', 'a@x.example'],
    ['no-reply@x.example', 'no-reply@x.example', 'no-reply@x.example'],
    ['<a@x.example>', 'a@x.example', 'a@x.example'],
    ['', 'Unknown sender', ''],
  ])('is read from %s', (from, name, address) => {
    expect(parseSender(from)).toMatchObject({ name, address });
  });

  it('is the same one whatever the case of the address and whatever the name', () => {
    expect(parseSender('Shop <NEWS@x.example>').key).toBe(parseSender('The Shop <news@X.example>').key);
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
