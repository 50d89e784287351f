import { type DeadLetter, listDeadLetters, type QueueBackend, replayDeadLetters } from '@mailsweep/event-bus';

const USAGE = 'Usage: dead-letters list | replay [event id]';

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
 * Runs `list` (all dead letters, one a line) or `replay [event id]` (back into their queues).
 *
 * @param say - takes the lines to show
 * @returns the exit code
 */
export const runDeadLetterCommand = async (
  [command, id]: string[],
  dependencies: { queue: QueueBackend; say: (line: string) => void },
): Promise<number> => {
  const { queue, say } = dependencies;
  if (command === 'list') {
    const letters = await listDeadLetters(queue);
    for (const letter of letters) say(toLine(letter));
    say(`${letters.length} dead letters`);
    return 0;
  }
  if (command === 'replay') {
    const replayed = await replayDeadLetters(queue, id);
    for (const letter of replayed) say(`replayed  ${letter.queueName}  ${letter.id}`);
    say(`${replayed.length} replayed`);
    return id !== undefined && replayed.length === 0 ? 1 : 0;
  }
  say(USAGE);
  return 2;
};
