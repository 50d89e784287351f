import type { KeyObject } from 'node:crypto';
import {
  type CopyFromMailboxResponse,
  MAX_PROTECTED_SENDERS,
  MAX_RULES,
  type UpdateOwnMailboxRequest,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { readSender, type TextCipher, toSenderKey, writeSender } from '@mailsweep/mail/message-cache';
import { shareOwnerPreferences } from '../account/update-preferences.ts';
import { insertAuditEntry, type NewAuditEntry } from '../history/audit-trail.repository.ts';
import {
  addMailbox,
  listOwnMailboxRows,
  lockPeers,
  type Reach,
  removeMailbox,
  updateMailbox,
} from '../owners/owners.repository.ts';
import { insertProtection, listProtectionRows } from '../protections/protection.repository.ts';
import { insertRule, listRuleRows, type RuleChoice } from '../rules/rule.repository.ts';
import type { RuleRow } from '../rules/rule-row.repository.ts';

type AuditClient = Omit<NewAuditEntry, 'userId' | 'event' | 'details'>;

/** Tells the audit trails of two mailboxes of each other. */
const recordInBoth = async (
  tx: Transaction,
  event: 'mailbox_added' | 'mailbox_removed',
  userIds: readonly string[],
  client: AuditClient,
): Promise<void> => {
  const users = await tx.user.findMany({ where: { id: { in: [...userIds] } } });
  for (const { id: userId } of users) {
    const mailbox = users.find(({ id }) => id !== userId)?.email ?? '';
    await insertAuditEntry(tx, { ...client, userId, event, details: { mailbox } });
  }
};

/**
 * Adds the mailbox of a user who has just signed in to it to those of the session, and shares the owner's preferences with
 * it.
 *
 * @returns its number; or why it was not added
 */
export const addOwnMailbox = async (
  tx: Transaction,
  session: { id: string; userId: string },
  addedId: string,
  client: AuditClient,
  nowMs = Date.now(),
): Promise<number | 'mailbox_taken' | 'mailbox_limit'> => {
  const added = await addMailbox(tx, session, addedId);
  if (typeof added === 'string') return added;
  if (added.isNew) {
    await shareOwnerPreferences(tx, session.userId, [addedId], nowMs);
    await recordInBoth(tx, 'mailbox_added', [session.userId, addedId], { ...client, sessionId: session.id });
  }
  return added.number;
};

/** The mailboxes of an owner (docs/decisions/072). */
export const createOwnMailboxes = ({
  database,
  cipher,
  senderKey,
  nowMs = Date.now,
}: {
  database: Database;
  cipher: TextCipher;
  senderKey: KeyObject;
  nowMs?: () => number;
}) => {
  /** A stored sender of one mailbox as another one stores it; undefined where the key is gone. */
  const toStoredSender = (encryptedSender: string, fromId: string, toId: string) => {
    const from = readSender(cipher, fromId, encryptedSender);
    if (from === undefined) return undefined;
    return {
      senderId: toSenderKey(senderKey, toId, from),
      encryptedSender: writeSender(cipher, toId, from),
    };
  };

  const copyRules = async (fromId: string, toId: string, client: AuditClient): Promise<number> => {
    const all = { page: 1, perPage: MAX_RULES };
    const known = new Set((await listRuleRows(database, toId, all)).rows.map((row) => toRuleText(row)));
    const { rows } = await listRuleRows(database, fromId, all);
    let copied = 0;
    for (const row of rows.toReversed()) {
      const senders = row.senders.flatMap(
        ({ encryptedSender }) => toStoredSender(encryptedSender, fromId, toId) ?? [],
      );
      const isWhole = senders.length === row.senders.length;
      const senderIds = senders.map(({ senderId }) => senderId);
      if (!isWhole || known.has(toRuleText(row, senderIds))) continue;
      const { classifications, minConfidence, olderThan, keepNewest, action, label } = row;
      const choice = { classifications, minConfidence, olderThan, keepNewest, label, enabled: false };
      const id = await insertRule(
        database,
        toId,
        {
          ...choice,
          action: action as RuleChoice['action'],
          senders: senders.map(({ senderId, encryptedSender }) => ({
            senderKey: Uint8Array.from(Buffer.from(senderId, 'hex')),
            encryptedSender,
          })),
        },
        { client, now: new Date(nowMs()) },
      );
      if (id === undefined) break;
      copied += 1;
    }
    return copied;
  };

  const copyProtections = async (fromId: string, toId: string): Promise<number> => {
    const all = { page: 1, perPage: MAX_PROTECTED_SENDERS };
    const present = await listProtectionRows(database, toId, all);
    const known = new Set(present.rows.map(({ senderKey: key }) => Buffer.from(key).toString('hex')));
    const { rows } = await listProtectionRows(database, fromId, all);
    let copied = 0;
    for (const { encryptedSender } of rows.toReversed()) {
      const sender = toStoredSender(encryptedSender, fromId, toId);
      if (sender === undefined || known.has(sender.senderId)) continue;
      if (!(await insertProtection(database, toId, sender))) break;
      copied += 1;
    }
    return copied;
  };

  return {
    list: (reach: Reach) => listOwnMailboxRows(database, reach),

    update: (userId: string, changes: UpdateOwnMailboxRequest): Promise<void> =>
      database.$transaction((tx) => updateMailbox(tx, userId, changes)),

    /** Takes a mailbox out of those of its owner. What is stored of it stays. */
    remove: (userId: string, client: AuditClient): Promise<void> =>
      database.$transaction(async (tx) => {
        const [other] = (await lockPeers(tx, userId)).filter((id) => id !== userId);
        await removeMailbox(tx, userId);
        if (other !== undefined) await recordInBoth(tx, 'mailbox_removed', [userId, other], client);
      }),

    /** Copies rules, disabled, and protections from one mailbox to another; what it has already stays as it is. */
    copy: async (fromId: string, toId: string, client: AuditClient): Promise<CopyFromMailboxResponse> => ({
      rules: await copyRules(fromId, toId, client),
      protections: await copyProtections(fromId, toId),
    }),
  };
};

/** What makes a rule another one. */
const toRuleText = (rule: RuleRow, senderIds = rule.senders.map(({ key }) => key)): string =>
  JSON.stringify([
    senderIds.toSorted(),
    rule.classifications.toSorted(),
    [rule.minConfidence, rule.olderThan, rule.keepNewest, rule.action, rule.label],
  ]);
