import { domainToUnicode } from 'node:url';
import {
  type ListProtectionsResponse,
  MAX_PROTECTED_SENDERS,
  type Pagination,
  type Protection,
  toSenderName,
  toSenderNames,
} from '@mailsweep/contracts';
import {
  isGroupKey,
  LISTED,
  readMessageText,
  readSender,
  saveSenderNames,
  toPlainName,
  toSenderKey,
  writeSender,
} from '@mailsweep/mail/message-cache';
import { RefusedError } from '../refused-error.ts';
import { findSenderGroup, type SenderKeys } from '../sender-groups/sender-groups.ts';
import {
  deleteProtection,
  findNewestMessage,
  findProtectionRow,
  insertProtection,
  listNewestMessages,
  listProtectionRows,
  type ProtectionRow,
} from './protection.repository.ts';

/** Protects senders, domains and mailing lists for a user (docs/decisions/044). */
export const createProtections = (keys: SenderKeys) => {
  const { database, cipher, senderKey } = keys;

  const toProtection = (userId: string, row: ProtectionRow): Protection => {
    const from = readSender(cipher, userId, row.encryptedSender) ?? '';
    const isDomain = from.startsWith('@');
    return {
      id: Buffer.from(row.senderKey).toString('hex'),
      type: isDomain ? 'domain' : from.startsWith(LISTED) ? 'list' : 'sender',
      from: isDomain ? domainToUnicode(from.slice(1)) : toPlainName(from),
      createdAt: row.createdAt.toISOString(),
    };
  };

  /** The name by which all of a group is protected; undefined where no email of it is there. */
  const findGroupName = async (userId: string, id: string): Promise<string | undefined> => {
    const group = isGroupKey(id) ? await findSenderGroup(keys, userId, id) : undefined;
    return group?.name
      .replace(/^domain:/, '@')
      .replace(/^list:/, LISTED)
      .replace(/^unlisted:/, '');
  };

  const insert = async (userId: string, senderId: string, from: string): Promise<Protection | null> => {
    const encryptedSender = writeSender(cipher, userId, from);
    if (!(await insertProtection(database, userId, { senderId, encryptedSender }))) {
      throw new RefusedError('too_many_protections', `a user may protect ${MAX_PROTECTED_SENDERS} senders`);
    }
    const inserted = await findProtectionRow(database, userId, senderId);
    return inserted && toProtection(userId, inserted);
  };

  /** Finds the senders that have the name: messages that were cached by an earlier release, or another key, do not say. */
  const nameSenders = async (userId: string, name: string, nameKey: string): Promise<void> => {
    const newest = await listNewestMessages(database, userId);
    const named = newest.filter(({ emailId, encryptedText }) => {
      const text = readMessageText(cipher, userId, emailId, encryptedText);
      return text !== undefined && toSenderNames(text.from).includes(name);
    });
    await saveSenderNames(
      database,
      named.map(({ senderId }) => ({ userId, senderKey: senderId, nameKeys: [nameKey] })),
    );
  };

  const protectName = async (userId: string, name: string): Promise<Protection | null> => {
    const nameKey = toSenderKey(senderKey, userId, name);
    const existing = await findProtectionRow(database, userId, nameKey);
    if (existing !== null) return toProtection(userId, existing);
    if (!isGroupKey(nameKey)) await nameSenders(userId, name, nameKey);
    return await insert(userId, nameKey, name);
  };

  return {
    async list(userId: string, pagination: Pagination): Promise<ListProtectionsResponse> {
      const { total, rows } = await listProtectionRows(database, userId, pagination);
      return { total, ...pagination, data: rows.map((row) => toProtection(userId, row)) };
    },

    /**
     * Protects a sender from whom an email was read, or a group of senders: its domain, or its mailing list.
     *
     * @returns null when there is none
     * @throws {RefusedError}
     */
    async protect(userId: string, senderId: string): Promise<Protection | null> {
      const existing = await findProtectionRow(database, userId, senderId);
      if (existing !== null) return toProtection(userId, existing);
      const name = await findGroupName(userId, senderId);
      if (name !== undefined) return await protectName(userId, name);
      const newest = await findNewestMessage(database, userId, senderId);
      const text = newest && readMessageText(cipher, userId, newest.emailId, newest.encryptedText);
      return text === undefined ? null : await insert(userId, senderId, text.from);
    },

    /**
     * Protects an address or a domain, whether or not an email of it was read.
     *
     * @param text - as `toSenderName` reads it
     * @returns null for what is neither
     * @throws {RefusedError}
     */
    async protectByName(userId: string, text: string): Promise<Protection | null> {
      const name = toSenderName(text);
      return name === undefined ? null : await protectName(userId, name);
    },

    /** @param id - of a protection, or of what is protected */
    async unprotect(userId: string, id: string): Promise<void> {
      const name = await findGroupName(userId, id);
      await deleteProtection(
        database,
        userId,
        name === undefined ? id : toSenderKey(senderKey, userId, name),
      );
    },
  };
};
