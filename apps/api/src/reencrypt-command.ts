import type { Database } from '@mailsweep/database';
import { ENCRYPTED_COLUMNS, reencryptTable, type TokenCipher } from '@mailsweep/provider-connection';
import type { Logger } from '@mailsweep/service-kit';

/** Most rounds over one table; a second is needed only where the service wrote at the same moment. */
const MAX_ROUNDS = 5;

/**
 * Encrypts anew, under the current key, whatever is stored under the previous one, and says how much of it
 * there was. After it has ended well the previous key is not needed any more.
 *
 * @returns the exit code: 1 when a text could not be read, or went on changing
 */
export const runReencryptCommand = async (dependencies: {
  database: Database;
  tokenCipher: TokenCipher;
  logger: Pick<Logger, 'error'>;
  say: (line: string) => void;
}): Promise<number> => {
  let isComplete = true;
  for (const place of ENCRYPTED_COLUMNS) {
    for (let round = 1; ; round += 1) {
      const { reencrypted, current, changed, unreadable } = await reencryptTable(dependencies, place);
      dependencies.say(
        `${place.table}: ${reencrypted} re-encrypted, ${current} already current, ${changed} changed meanwhile, ${unreadable} unreadable`,
      );
      if (changed > 0 && round < MAX_ROUNDS) continue;
      isComplete &&= changed === 0 && unreadable === 0;
      break;
    }
  }
  return isComplete ? 0 : 1;
};
