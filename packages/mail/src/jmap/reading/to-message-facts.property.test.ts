import { toMessageFacts as readFromGmail } from '@mailsweep/mail/gmail/api';
import { anyText } from '@mailsweep/mail/mailbox/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMessageFacts } from './to-message-facts.ts';

const piece = fc.constantFrom(
  '<',
  '>',
  '(',
  ')',
  '"',
  '\\',
  ',',
  ' ',
  '\r\n ',
  '=?utf-8?Q?=3Cboss=40shop.example=3E?=',
  'boss@shop.example',
  'Ada',
);
const field = fc.array(fc.oneof(piece, anyText), { maxLength: 8 }).map((pieces) => pieces.join(''));

test('an email has the same sender at Gmail and at a JMAP server, whatever its From fields hold', () => {
  fc.assert(
    fc.property(fc.array(field, { maxLength: 3 }), (fields) => {
      const headers = fields.map((value, index) => ({ name: index % 2 === 0 ? 'From' : 'from', value }));
      const gmail = readFromGmail({ id: 'm1', payload: { headers } });
      const jmap = toMessageFacts(
        {
          id: 'm1',
          threadId: 't1',
          mailboxIds: {},
          receivedAt: '2026-01-01T00:00:00Z',
          'header:From:asRaw:all': fields.map((value) => ` ${value}`),
        },
        undefined,
      );
      expect(jmap.isSenderUnclear).toBe(gmail.isSenderUnclear);
      expect(jmap.from).toBe(gmail.from);
    }),
  );
});
