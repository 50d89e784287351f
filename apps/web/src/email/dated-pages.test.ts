import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../testing/sample-email.ts';
import { toDistinctEmails, withEmails, withoutEmails } from './dated-pages.ts';

const [a, b, c, d] = [sampleEmail(1), sampleEmail(2), sampleEmail(3), sampleEmail(4)] as const;
const pages = [{ emails: [a, b] }, { emails: [c, d] }];

const idsOf = (list: { emails: { id: string }[] }[]) =>
  list.map((page) => page.emails.map((email) => email.id));

describe('pages of email', () => {
  it('show an email once, though two pages hold it', () => {
    expect(toDistinctEmails([{ emails: [a, b] }, { emails: [b, c] }])).toEqual([a, b, c]);
  });

  it('get an email back in its place, whichever page that is', () => {
    const without = withoutEmails(pages, new Set([b.id, c.id]));
    expect(idsOf(without)).toEqual([['email-1'], ['email-4']]);
    expect(toDistinctEmails(withEmails(without, [c, b])).map((email) => email.id)).toEqual([
      a.id,
      b.id,
      c.id,
      d.id,
    ]);
  });

  it('get the oldest email back at their end', () => {
    const without = withoutEmails(pages, new Set([d.id]));
    expect(toDistinctEmails(withEmails(without, [d])).at(-1)).toEqual(d);
  });

  it('put a changed email back as it was, in its place', () => {
    const changed = [{ emails: [a, { ...b, isRead: false }] }];
    expect(withEmails(changed, [b])).toEqual([{ emails: [a, b] }]);
  });
});
