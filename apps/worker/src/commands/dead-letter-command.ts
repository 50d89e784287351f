import { LONG_WORK_KINDS, type LongWorkKind, listParkedWork, resumeParkedWork } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { type DeadLetter, listDeadLetters, type QueueBackend, replayDeadLetters } from '@mailsweep/event-bus';

const USAGE = 'Usage: dead-letters list | replay [id]';
const NAMES: Record<LongWorkKind, string> = { scan: 'scan', cleanup: 'cleanup', undo: 'undo of a batch' };

const toLine = (letter: DeadLetter): string =>
  [
    letter.failedAt.toISOString(),
    letter.queueName,
    letter.id,
    letter.name,
    `${letter.attemptsMade} attempts`,
    letter.reason,
  ].join('  ');

/**
 * Runs `list` (all dead letters, one a line; long work that killed its workers is among them) or
 * `replay [id]` (they are tried again).
 *
 * @param say - takes the lines to show
 * @returns the exit code
 */
export const runDeadLetterCommand = async (
  [command, id]: string[],
  dependencies: { queue: QueueBackend; database: Database; say: (line: string) => void },
): Promise<number> => {
  const { queue, database, say } = dependencies;
  const parked = await Promise.all(
    LONG_WORK_KINDS.map(async (kind) =>
      (await listParkedWork(database, kind)).map((work) => ({ kind, ...work })),
    ),
  ).then((lists) => lists.flat());
  if (command === 'list') {
    const letters = await listDeadLetters(queue);
    for (const letter of letters) say(toLine(letter));
    for (const { kind, id: workId, updatedAt, crashes } of parked) {
      say([updatedAt.toISOString(), NAMES[kind], workId, `${crashes} workers died of it`].join('  '));
    }
    say(`${letters.length + parked.length} dead letters`);
    return 0;
  }
  if (command === 'replay') {
    const replayed = await replayDeadLetters(queue, id);
    for (const letter of replayed) say(`replayed  ${letter.queueName}  ${letter.id}`);
    let count = replayed.length;
    for (const { kind, id: workId } of parked) {
      if ((id !== undefined && id !== workId) || !(await resumeParkedWork(database, kind, workId))) continue;
      say(`replayed  ${NAMES[kind]}  ${workId}`);
      count += 1;
    }
    say(`${count} replayed`);
    return id !== undefined && count === 0 ? 1 : 0;
  }
  say(USAGE);
  return 2;
};
