import type { TextCipher } from '../message-text.ts';

export const FACTS = {
  threadId: 'conversation',
  from: 'News <news@shop.example>',
  subject: 'Subject',
  snippet: 'Text',
  receivedAt: new Date('2026-03-01T12:00:00.000Z'),
  sizeBytes: 5_000_000_000,
  attachmentCount: 2,
  attachmentBytes: 4_000_000_000,
  isInvitation: false,
  isSenderUnclear: false,
  failsDmarc: false,
};

/** Binds texts to their owner, and hides nothing. */
export const OPEN_CIPHER: TextCipher = {
  encrypt: (plaintext, owner) => JSON.stringify([owner, plaintext]),
  decrypt(ciphertext, owner) {
    const [writtenFor, plaintext] = JSON.parse(ciphertext);
    if (writtenFor !== owner) throw new Error('the text belongs to another owner');
    return plaintext;
  },
};
