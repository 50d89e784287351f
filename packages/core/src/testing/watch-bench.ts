import type { MlRequestItem, Suggestion, UpdateNotificationPreferences } from '@mailsweep/contracts';
import type { BehaviourChange } from '@mailsweep/google-sandbox';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { MlUnavailableError } from '@mailsweep/ml-client';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { updatePreferences } from '../account/update-preferences.ts';
import { claimDueWork, releaseWork } from '../due-work/due-work.repository.ts';
import { findLeasedWatch, findWatch } from '../watch/mailbox-watch.repository.ts';
import { createRunWatch } from '../watch/run-watch.ts';
import { openSandboxBench, seedMessage } from './sandbox-bench.ts';

const OLD_EMAILS = ['old-1', 'old-2', 'old-3'];
const CLIENT = { address: null, browser: null };
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };
const THRESHOLD = 10;
const NOTIFY: Suggestion = { action: 'notify', classification: 'bill', confidence_score: 0.9 };

/** By the first word of its subject. */
const SUGGESTIONS: Record<string, Suggestion[]> = {
  Keep: [],
  Bill: [NOTIFY],
  Maybe: [{ ...NOTIFY, confidence_score: 0.5 }],
};

/** A watched mailbox at the Google sandbox, with some old email, and processes that check it. */
export const openWatchBench = async (behaviour: BehaviourChange = {}) => {
  const bench = await openSandboxBench(
    OLD_EMAILS.map((id, index) => seedMessage(id, 60 + index, ['INBOX'])),
    behaviour,
  );
  const { database, userId, clock, query } = bench;
  const { mailbox, rules } = bench.openProcess();
  const { logger, lines } = createRecordingLogger();
  const stopping = new AbortController();
  const notificationCipher = createTokenCipher({ current: Buffer.alloc(32, 7) });
  const classified: string[] = [];
  /** Called before the classification service responds. */
  let onClassify: () => Promise<void> | void = () => undefined;
  let events = 0;

  const takeRun = createRunWatch({
    database,
    openMeteredMailbox: () => ({ mailbox, unitsUsed: () => 0 }),
    mlClient: {
      async suggest(items: readonly MlRequestItem[]) {
        await onClassify();
        classified.push(...items.map(({ subject }) => subject));
        return new Map(
          items.map(({ id, subject }) => [id, SUGGESTIONS[subject.split(' ')[0] ?? ''] ?? [BULK]]),
        );
      },
    },
    notificationCipher,
    logger,
    publishThreshold: THRESHOLD,
    runDueRules: () => rules.runDue(),
    onEventRecorded: () => {
      events += 1;
    },
    nowMs: clock.nowMs,
  });
  const runWatch = (watch: Parameters<typeof takeRun>[0]) => takeRun(watch, stopping.signal);
  const claim = async () => {
    const work = await claimDueWork(database, 'watch');
    const watch = work && (await findLeasedWatch(database, work));
    if (watch === null) throw new Error('no watch is due');
    return { ...watch, readNow: new Date(clock.nowMs()) };
  };
  const release = ({ userId: id, leaseId }: Awaited<ReturnType<typeof claim>>) =>
    releaseWork(database, 'watch', { id, userId, leaseId }, null);
  const readRow = () => database.mailboxWatch.findUniqueOrThrow({ where: { userId } });
  const change = (watch: { enabled?: boolean; everyMinutes?: 5 | 15 | 30 | 60 | 180 }) =>
    updatePreferences(database, userId, { watch }, CLIENT);

  return {
    ...bench,
    notificationCipher,
    /** Changes what the user wants to be notified about. */
    changeNotifications: (notifications: UpdateNotificationPreferences, timeZone: string | null = null) =>
      updatePreferences(database, userId, { notifications, timeZone }, CLIENT),
    rules,
    logger,
    lines,
    stopping,
    runWatch,
    claim,
    release,
    readRow,
    change,
    /** Subjects of all emails that were classified, in that order. */
    classified,
    countEvents: () => events,
    onClassify(happen: typeof onClassify) {
      onClassify = happen;
    },
    failClassification() {
      onClassify = () => Promise.reject(new MlUnavailableError('ml_network', 'away'));
    },
    async deliverAll(subjects: string[]) {
      for (const subject of subjects) await bench.deliver(subject);
    },
    findWatch: () => findWatch(database, userId),
    /** Takes the run that is due. */
    async run() {
      const watch = await claim();
      const run = await runWatch(watch);
      await release(watch);
      return run;
    },
    /** Has the next run be due, as if its time had come. */
    async makeDue() {
      await query(`UPDATE "MailboxWatch" SET "dueAt" = now() - interval '1 s'`);
    },
    async countSuggestions(): Promise<number> {
      return database.emailSuggestion.count({ where: { userId } });
    },
    /** Inserts the provider connection that a sign-in leaves. */
    async connect() {
      const values = { encryptedAccessToken: 'cipher', scope: '', reauthRequiredAt: null };
      await database.providerConnection.upsert({
        where: { userId },
        update: values,
        create: { userId, ...values, accessTokenExpiresAt: new Date() },
      });
    },
  };
};
export type WatchBench = Awaited<ReturnType<typeof openWatchBench>>;
