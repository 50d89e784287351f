import { createSecretKey } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TrainingDecision } from '@mailsweep/contracts';
import { createMaintenance, type TrainingDataCounts } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { deriveKey, deriveMessageKeys } from '@mailsweep/mail/provider-connection';
import type { Logger } from '@mailsweep/service-kit';
import { z } from 'zod';

const ArgumentsSchema = z.union([z.tuple([]), z.tuple([z.string().regex(/^[^-]/)])]);

async function* toLines(decisions: AsyncIterable<TrainingDecision>): AsyncGenerator<string> {
  for await (const decision of decisions) yield `${JSON.stringify(decision)}\n`;
}

/**
 * Writes decisions about suggestions as JSON Lines, of the users who enabled that, for operators who train a
 * classification service.
 *
 * @param args - the file to write, which must not exist; `stdout` without it
 * @returns the exit code: 1 when a decision did not fit the schema and was left out, 2 when the arguments are wrong
 * @throws when the file can't be written, or the database does not respond; what is written by then is no whole export
 */
export const runTrainingDataCommand = async (
  args: string[],
  dependencies: {
    database: Database;
    keys: Parameters<typeof deriveMessageKeys>[0];
    logger: Pick<Logger, 'info'>;
    stdout: Writable;
    say: (line: string) => void;
  },
): Promise<number> => {
  const { database, keys, logger, stdout, say } = dependencies;
  const parsed = ArgumentsSchema.safeParse(args);
  if (!parsed.success) {
    say('Usage: training-data [file]');
    return 2;
  }
  const [file] = parsed.data;
  const counts: TrainingDataCounts = { users: 0, decisions: 0, uncached: 0, invalid: 0 };
  const { cipher } = deriveMessageKeys(keys);
  const key = createSecretKey(deriveKey(keys.current, 'training-data'));
  const decisions = createMaintenance(database).exportTrainingData({ cipher, key, counts });
  const lines = Readable.from(toLines(decisions));
  if (file === undefined) await pipeline(lines, stdout, { end: false });
  else await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }));

  logger.info({ securityEvent: 'training_data_exported', ...counts }, 'training data exported');
  say(`Exported ${counts.decisions} decisions of ${counts.users} users.`);
  if (counts.uncached > 0) say(`Left out ${counts.uncached} whose email is not cached any more.`);
  if (counts.invalid > 0) say(`Left out ${counts.invalid} that do not fit the schema.`);
  return counts.invalid > 0 ? 1 : 0;
};
