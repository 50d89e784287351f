import { existsSync, readFileSync } from 'node:fs';
import { writeFileAtomically } from '@mailsweep/service-kit';
import { z } from 'zod';
import type { MailboxSeed } from './mailbox-seed.ts';

const ChangesSchema = z.object({
  /** When the mailboxes were first filled, in milliseconds since 1970; all dates of mail hang on it. */
  seededAtMs: z.number(),
  /** Present labels of each message that was changed; null when it was deleted for good. */
  labelsByMessage: z.record(z.string(), z.array(z.string()).nullable()),
  /** Labels that users made, by mail address. */
  labelsByPerson: z.record(z.string(), z.array(z.object({ id: z.string(), name: z.string() }))),
});
type Changes = z.infer<typeof ChangesSchema>;

export interface MailboxChanges {
  seededAtMs: number;
  /** The mailbox as users left it. Mail that came after the seed is not in it. */
  applyTo(seed: MailboxSeed): MailboxSeed;
  setMessageLabels(changed: ReadonlyMap<string, string[] | null>): void;
  setPersonLabels(email: string, labels: { id: string; name: string }[]): void;
}

/**
 * Stores what users did to their seeded mail in a file, so that a restart finds the mailbox as they left it. The
 * file is written before the response is sent.
 *
 * @param file - undefined stores the changes in memory
 */
export const openMailboxChanges = (file: string | undefined, nowMs: number): MailboxChanges => {
  const changes: Changes =
    file !== undefined && existsSync(file)
      ? ChangesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
      : { seededAtMs: nowMs, labelsByMessage: {}, labelsByPerson: {} };
  const save = (): void => {
    if (file !== undefined) writeFileAtomically(file, JSON.stringify(changes));
  };
  save();
  return {
    seededAtMs: changes.seededAtMs,
    applyTo: (seed) => ({
      ...seed,
      labels: changes.labelsByPerson[seed.user.email] ?? seed.labels,
      messages: seed.messages.flatMap((message) => {
        const labels = changes.labelsByMessage[message.id];
        return labels === null ? [] : [{ ...message, labels: labels ?? message.labels }];
      }),
    }),
    setMessageLabels(changed) {
      if (changed.size === 0) return;
      Object.assign(changes.labelsByMessage, Object.fromEntries(changed));
      save();
    },
    setPersonLabels(email, labels) {
      changes.labelsByPerson[email] = labels;
      save();
    },
  };
};
