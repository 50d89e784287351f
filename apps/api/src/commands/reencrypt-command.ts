import { createMaintenance } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { type ReencryptCounts, reencryptMessages } from '@mailsweep/mail/message-cache';
import {
  type deriveMessageKeys,
  ENCRYPTED_COLUMNS,
  reencryptTable,
  type TokenCipher,
} from '@mailsweep/mail/provider-connection';
import type { Logger } from '@mailsweep/service-kit';

/** Most rounds over one table; a second is needed only where the service wrote at the same moment. */
const MAX_ROUNDS = 5;

/**
 * Encrypts again, with the current key, everything that is stored with the previous one, and reports how much it
 * was. After it has succeeded, the previous key is no longer needed.
 *
 * @returns the exit code: 1 when a text could not be read, or went on changing; kept messages that can't be read are
 *   dropped, since they can be had again
 */
export const runReencryptCommand = async (dependencies: {
  database: Database;
  tokenCipher: TokenCipher;
  messageKeys: ReturnType<typeof deriveMessageKeys>;
  logger: Pick<Logger, 'error'>;
  say: (line: string) => void;
}): Promise<number> => {
  const { database, messageKeys, say } = dependencies;

  const reporting = (table: string, reencrypt: () => Promise<ReencryptCounts>) => async () => {
    const { reencrypted, current, changed, unreadable } = await reencrypt();
    say(
      `${table}: ${reencrypted} re-encrypted, ${current} already current, ${changed} changed meanwhile, ${unreadable} unreadable`,
    );
    return { changed, unreadable };
  };
  const ofSenders = createMaintenance(database).reencryption(messageKeys);
  const tables = [
    ...ENCRYPTED_COLUMNS.map((place) => reporting(place.table, () => reencryptTable(dependencies, place))),
    ...ofSenders.tables.map(({ table, reencrypt }) => reporting(table, reencrypt)),
  ];
  const messages = async () => {
    const { reencrypted, current, changed, dropped } = await reencryptMessages({ database, ...messageKeys });
    say(
      `CachedMessage: ${reencrypted} re-encrypted, ${current} already current, ${changed} changed meanwhile, ${dropped} unreadable and dropped`,
    );
    return { changed, unreadable: 0 };
  };

  let isComplete = true;
  for (const reencrypt of [...tables, messages]) {
    let left = await reencrypt();
    for (let round = 2; left.changed > 0 && round <= MAX_ROUNDS; round += 1) left = await reencrypt();
    isComplete &&= left.changed === 0 && left.unreadable === 0;
  }
  const renamed = await ofSenders.renameLearnedSenders();
  if (renamed > 0) say(`ActionHistory: ${renamed} decisions have the new key of their sender`);
  // Until then, messages may have the former keys of senders.
  if (isComplete) await ofSenders.forgetFormerKeys();
  return isComplete ? 0 : 1;
};
