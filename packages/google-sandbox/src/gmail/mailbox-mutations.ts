import type { BehaviourSettings } from '../behaviour.ts';
import { createEmulatorHistory } from '../history/emulator-history.ts';
import type { HistoryJournal } from '../history/history-journal.ts';
import type { Emulator } from '../mailbox/emulator.ts';
import type { MailboxChanges } from '../mailbox/mailbox-changes.ts';
import { type EmulatorRecord, LabelsSchema, parseResponse } from '../protocol/gmail-responses.ts';
import type { SandboxResponse } from '../response.ts';

/**
 * Runs the calls that change a mailbox, one at a time for each, and writes down what each changed: in the history that
 * clients see, and in the file that a restart reads.
 */
export const createMailboxMutations = async (options: {
  emulator: Emulator;
  journal: HistoryJournal;
  changes: MailboxChanges;
  emails: readonly string[];
  behaviour: BehaviourSettings;
}) => {
  const { emulator, journal, changes, behaviour } = options;
  const history = createEmulatorHistory(emulator);
  const readUpTo = new Map<string, string>();
  const lastRun = new Map<string, Promise<unknown>>();

  for (const email of options.emails) {
    const historyId = await history.readHistoryId(email);
    readUpTo.set(email, historyId);
    journal.open(email, historyId);
  }

  const collect = async (email: string): Promise<EmulatorRecord[]> => {
    const records = await history.readAfter(email, readUpTo.get(email) ?? '0');
    readUpTo.set(email, records.at(-1)?.id ?? readUpTo.get(email) ?? '0');
    return records;
  };

  /** Turns the importance marker of messages that entered or left the inbox; what that changed. */
  const turnImportance = async (
    email: string,
    records: readonly EmulatorRecord[],
  ): Promise<EmulatorRecord[]> => {
    const moved = records.flatMap(({ labelsAdded, labelsRemoved }) =>
      [...labelsAdded, ...labelsRemoved].filter(({ labelIds }) => labelIds.includes('INBOX')),
    );
    const byChange = Map.groupBy(moved, ({ message }) =>
      message.labelIds.includes('IMPORTANT') ? 'removeLabelIds' : 'addLabelIds',
    );
    for (const [key, own] of byChange) {
      await emulator.call({
        method: 'POST',
        path: '/gmail/v1/users/me/messages/batchModify',
        contentType: 'application/json',
        body: JSON.stringify({ ids: own.map(({ message }) => message.id), [key]: ['IMPORTANT'] }),
        email,
      });
    }
    return moved.length === 0 ? [] : await collect(email);
  };

  const remember = (records: readonly EmulatorRecord[]): void => {
    const labels = new Map<string, string[] | null>();
    for (const { messages, messagesDeleted } of records) {
      for (const { id, labelIds } of messages) labels.set(id, labelIds);
      for (const { message } of messagesDeleted) labels.set(message.id, null);
    }
    changes.setMessageLabels(labels);
  };

  const rememberLabels = async (email: string): Promise<void> => {
    const response = await emulator.call({ method: 'GET', path: '/gmail/v1/users/me/labels', email });
    const own = parseResponse(LabelsSchema, response).labels.filter(({ type }) => type === 'user');
    changes.setPersonLabels(
      email,
      own.map(({ id, name }) => ({ id, name })),
    );
  };

  const runOne = async (
    email: string,
    call: () => Promise<SandboxResponse>,
    { lostRecords = 0, changesLabels = false }: MutationOptions,
  ): Promise<SandboxResponse> => {
    const response = await call();
    const records = await collect(email);
    if (behaviour.now.importanceFollowsChanges) records.push(...(await turnImportance(email, records)));
    if (changesLabels) await rememberLabels(email);
    remember(records);
    journal.append(email, records, lostRecords);
    return response;
  };

  return {
    /** Makes a call that may change the mailbox. */
    run(
      email: string,
      call: () => Promise<SandboxResponse>,
      more: MutationOptions = {},
    ): Promise<SandboxResponse> {
      const run = (lastRun.get(email) ?? Promise.resolve()).then(() => runOne(email, call, more));
      lastRun.set(
        email,
        run.catch(() => undefined),
      );
      return run;
    },
  };
};

interface MutationOptions {
  /** How many of its history records are never shown. */
  lostRecords?: number;
  /** Whether it makes, renames or deletes a label. */
  changesLabels?: boolean;
}
export type MailboxMutations = Awaited<ReturnType<typeof createMailboxMutations>>;
