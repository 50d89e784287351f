import { createMaintenance, type WorkKind } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { type DeadLetter, listDeadLetters, type QueueBackend, replayDeadLetters } from '@mailsweep/event-bus';

const USAGE = 'Usage: dead-letters list | replay [id] | give-up <id of work that killed its workers>';
const NAMES: Record<WorkKind, string> = {
  scan: 'scan',
  cleanup: 'cleanup',
  undo: 'undo of a batch',
  watch: 'watch of user',
  unsubscribe: 'request to unsubscribe',
  notification: 'notifications of user',
  digest: 'digest of user',
};

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
 * Runs `list` (all dead letters, one a line; due work that killed its workers is among them), `replay [id]` (they are
 * tried again) or `give-up <id>` (due work ends as failed; watches and digests go on a day later).
 *
 * @param say - takes the lines to show
 * @returns the exit code
 */
export const runDeadLetterCommand = async (
  [command, id, ...others]: string[],
  dependencies: { queue: QueueBackend; database: Database; say: (line: string) => void },
): Promise<number> => {
  const { queue, say } = dependencies;
  const { work } = createMaintenance(dependencies.database);
  switch (others.length === 0 && command) {
    case 'list': {
      if (id !== undefined) break;
      const letters = await listDeadLetters(queue);
      const parked = await work.listParked();
      for (const letter of letters) say(toLine(letter));
      for (const { kind, id: workId, at, crashes } of parked) {
        say([at.toISOString(), NAMES[kind], workId, `${crashes} workers died of it`].join('  '));
      }
      say(`${letters.length + parked.length} dead letters`);
      return 0;
    }
    case 'replay': {
      const replayed = (await replayDeadLetters(queue, id)).map(
        (letter) => `${letter.queueName}  ${letter.id}`,
      );
      replayed.push(...(await changeParked(work.resumeParked)));
      for (const letter of replayed) say(`replayed  ${letter}`);
      say(`${replayed.length} replayed`);
      return id !== undefined && replayed.length === 0 ? 1 : 0;
    }
    case 'give-up': {
      if (id === undefined) break;
      const givenUp = await changeParked(work.giveUpParked);
      for (const name of givenUp) say(`given up  ${name}`);
      if (givenUp.length === 0) say('no work with this id waits for an operator');
      return givenUp.length === 0 ? 1 : 0;
    }
  }
  say(USAGE);
  return 2;

  /** @returns what was changed, as it is shown */
  async function changeParked(change: typeof work.resumeParked): Promise<string[]> {
    const changed: string[] = [];
    for (const { kind, id: workId } of await work.listParked()) {
      if (id !== undefined && id !== workId) continue;
      if (await change(kind, workId)) changed.push(`${NAMES[kind]}  ${workId}`);
    }
    return changed;
  }
};
