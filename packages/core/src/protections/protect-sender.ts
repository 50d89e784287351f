import {
  type ListProtectionsResponse,
  MAX_PROTECTED_SENDERS,
  type Pagination,
  type Protection,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mailbox-sync';
import { RefusedError } from '../refused-error.ts';
import {
  deleteProtection,
  findNewestMessage,
  findProtectionRow,
  insertProtection,
  listProtectionRows,
  type ProtectionRow,
} from './protection.repository.ts';
import { readSender, writeSender } from './sender-text.ts';

/** Protects senders for a user (docs/decisions/044). */
export const createProtections = ({ database, cipher }: { database: Database; cipher: TextCipher }) => {
  const toProtection = (userId: string, row: ProtectionRow): Protection => ({
    id: Buffer.from(row.senderKey).toString('hex'),
    from: readSender(cipher, userId, row.encryptedSender) ?? '',
    createdAt: row.createdAt.toISOString(),
  });

  return {
    async listProtections(userId: string, pagination: Pagination): Promise<ListProtectionsResponse> {
      const { total, rows } = await listProtectionRows(database, userId, pagination);
      return { total, ...pagination, data: rows.map((row) => toProtection(userId, row)) };
    },

    /**
     * Protects a sender from whom an email was read.
     *
     * @returns null when there is none
     * @throws {RefusedError}
     */
    async protectSender(userId: string, senderId: string): Promise<Protection | null> {
      const existing = await findProtectionRow(database, userId, senderId);
      if (existing !== null) return toProtection(userId, existing);
      const newest = await findNewestMessage(database, userId, senderId);
      const text = newest && readMessageText(cipher, userId, newest.emailId, newest.encryptedText);
      if (text === undefined) return null;
      const encryptedSender = writeSender(cipher, userId, text.from);
      if (!(await insertProtection(database, userId, { senderId, encryptedSender }))) {
        throw new RefusedError('too_many_protections', `a user may protect ${MAX_PROTECTED_SENDERS} senders`);
      }
      const inserted = await findProtectionRow(database, userId, senderId);
      return inserted && toProtection(userId, inserted);
    },

    unprotectSender: (userId: string, senderId: string): Promise<void> =>
      deleteProtection(database, userId, senderId),
  };
};
