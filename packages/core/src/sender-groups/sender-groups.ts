import type { KeyObject } from 'node:crypto';
import { isPublicProvider, type SenderGrouping } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { toOrganization } from '@mailsweep/mail/mailbox';
import {
  isGroupKey,
  readMessageText,
  type TextCipher,
  toSenderAddress,
  toSenderKey,
} from '@mailsweep/mail/message-cache';
import { LIST, listSenderTexts, type SenderSources, UNLISTED } from './sender-source.repository.ts';

export interface SenderKeys {
  database: Database;
  cipher: TextCipher;
  senderKey: KeyObject;
}

export interface SenderGroup {
  /** The key of the name, as that of a sender is the key of the address. */
  id: string;
  /** As rules store it: `domain:shop.example`, `list:news@lists.example`, `unlisted:ada@example.com`. */
  name: string;
}

/** Of an email. */
interface GroupingText {
  from: string;
  listAddress?: string | undefined;
}

/** @returns undefined where the email stays with its address */
const toGroupName = (by: SenderGrouping, { from, listAddress }: GroupingText): string | undefined => {
  const address = toSenderAddress(from);
  if (by === 'address' || address === '') return undefined;
  if (by === 'list') return listAddress === undefined ? `${UNLISTED}${address}` : `${LIST}${listAddress}`;
  const domain = toOrganization(address.slice(address.lastIndexOf('@') + 1));
  return !address.includes('@') || isPublicProvider(domain) ? undefined : `domain:${domain}`;
};

/** Tells the groups of a user's emails apart. */
export const createToGroup = (senderKey: KeyObject, userId: string) => {
  const known = new Map<string, SenderGroup>();
  return (by: SenderGrouping, text: GroupingText): SenderGroup | undefined => {
    const name = toGroupName(by, text);
    if (name === undefined) return undefined;
    const group = known.get(name) ?? { id: toSenderKey(senderKey, userId, name), name };
    known.set(name, group);
    return group;
  };
};

/** The groups with these ids, by one text of each sender and mailing list, with the keys of their emails. */
const findGroups = async (keys: SenderKeys, userId: string, ids: readonly string[]) => {
  const asked = new Set(ids.filter(isGroupKey));
  const texts = asked.size === 0 ? [] : await listSenderTexts(keys.database, userId);
  const toGroup = createToGroup(keys.senderKey, userId);
  return texts.flatMap(({ senderId, listKey, emailId, encryptedText }) => {
    const text = readMessageText(keys.cipher, userId, emailId, encryptedText);
    if (text === undefined) return [];
    const [domain, list] = [toGroup('domain', text), toGroup('list', text)];
    return [
      { key: senderId, group: domain },
      { key: listKey === null ? `${UNLISTED}${senderId}` : `${LIST}${listKey}`, group: list },
    ].flatMap(({ key, group }) => (group && asked.has(group.id) ? [{ key, group }] : []));
  });
};

/** What the ids of senders and of groups stand for now. */
export const resolveSenders = async (
  keys: SenderKeys,
  userId: string,
  ids: readonly string[],
): Promise<SenderSources> => {
  const groups = await findGroups(keys, userId, ids);
  return new Map([
    ...groups.map(({ key, group }) => [key, group.id] as const),
    ...ids.map((id) => [id, id] as const),
  ]);
};

/** The group with an id; undefined where no email of it is there, and for the id of a sender. */
export const findSenderGroup = async (
  keys: SenderKeys,
  userId: string,
  id: string,
): Promise<SenderGroup | undefined> => (await findGroups(keys, userId, [id]))[0]?.group;
