import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessagePart } from '../gmail-requests.ts';
import { type AttachmentTotals, sumAttachments } from './to-message-facts.ts';

const text: MessagePart = { mimeType: 'text/plain', filename: '', body: { size: 500 } };
const file = (size: number): MessagePart => ({
  mimeType: 'application/pdf',
  filename: 'a.pdf',
  headers: [{ name: 'Content-Disposition', value: 'attachment; filename="a.pdf"' }],
  body: { size, attachmentId: 'att' },
});
const image = (disposition: string, hasContentId: boolean): MessagePart => ({
  mimeType: 'image/png',
  filename: 'logo.png',
  headers: [
    { name: 'content-disposition', value: disposition },
    ...(hasContentId ? [{ name: 'Content-Id', value: '<logo@x>' }] : []),
  ],
  body: { size: 10, attachmentId: 'att' },
});
const multipart = (...parts: MessagePart[]): MessagePart => ({
  mimeType: 'multipart/mixed',
  filename: '',
  parts,
});

describe('the attachments of a message', () => {
  it('are the leaf parts with a file name, texts not counted', () => {
    expect(sumAttachments(multipart(text, file(100), multipart(text, file(20))))).toEqual({
      count: 2,
      bytes: 120,
    });
  });

  it('are none in a message without parts', () => {
    expect(sumAttachments(undefined)).toEqual({ count: 0, bytes: 0 });
    expect(sumAttachments(text)).toEqual({ count: 0, bytes: 0 });
  });

  it('may be the message itself', () => {
    expect(sumAttachments(file(7))).toEqual({ count: 1, bytes: 7 });
  });

  it('leave out images that the text shows in itself', () => {
    expect(sumAttachments(multipart(text, image('inline; filename="logo.png"', true))).count).toBe(0);
    expect(sumAttachments(multipart(text, image('INLINE', true))).count).toBe(0);
  });

  it('count images that nothing can refer to, and images attached as files', () => {
    expect(sumAttachments(image('inline', false)).count).toBe(1);
    expect(sumAttachments(image('attachment', true)).count).toBe(1);
    expect(sumAttachments({ ...image('inline', true), mimeType: 'application/pdf' }).count).toBe(1);
  });

  it('count a mail attached as a file once, as the file', () => {
    const attachedMail: MessagePart = {
      mimeType: 'message/rfc822',
      filename: 'fwd.eml',
      body: { size: 900, attachmentId: 'att' },
      parts: [multipart(text, file(800))],
    };
    expect(sumAttachments(multipart(text, attachedMail))).toEqual({ count: 1, bytes: 900 });
  });

  it('are looked for inside a multipart, even one with a name', () => {
    expect(sumAttachments({ ...multipart(file(3)), filename: 'odd' })).toEqual({ count: 1, bytes: 3 });
  });

  it('count with no bytes when no size is told', () => {
    expect(sumAttachments({ mimeType: 'text/csv', filename: 'empty.csv' })).toEqual({ count: 1, bytes: 0 });
  });

  it('are found however deep the message nests', () => {
    const deep = Array.from({ length: 50_000 }).reduce<MessagePart>((inner) => multipart(inner), file(5));
    expect(sumAttachments(deep)).toEqual({ count: 1, bytes: 5 });
  });

  it('sum up to the same, in whatever tree they hang', () => {
    type Sample = { part: MessagePart; totals: AttachmentTotals };
    const leaf: fc.Arbitrary<Sample> = fc.oneof(
      fc.constant({ part: text, totals: { count: 0, bytes: 0 } }),
      fc.constant({ part: image('inline', true), totals: { count: 0, bytes: 0 } }),
      fc.nat(1_000_000).map((size) => ({ part: file(size), totals: { count: 1, bytes: size } })),
    );
    const { tree } = fc.letrec<{ tree: Sample }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        leaf,
        fc.array(tie('tree'), { maxLength: 4 }).map((children) => ({
          part: multipart(...children.map((child) => child.part)),
          totals: {
            count: children.reduce((sum, child) => sum + child.totals.count, 0),
            bytes: children.reduce((sum, child) => sum + child.totals.bytes, 0),
          },
        })),
      ),
    }));
    fc.assert(
      fc.property(tree, ({ part, totals }) => {
        expect(sumAttachments(part)).toEqual(totals);
      }),
    );
  });
});
