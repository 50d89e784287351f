import { type Mailbox, MailboxError } from '@mailsweep/mailbox-sync';

type Call = (...parameters: unknown[]) => Promise<unknown>;

/** The faults that a call's answer holds, one for each message it could not do. */
const faultsIn = (answer: unknown): MailboxError[] =>
  Array.isArray(answer)
    ? answer.flatMap((item: { error?: unknown }) => (item?.error instanceof MailboxError ? [item.error] : []))
    : [];

/** A mailbox that tells of its faults: of whole calls, and of single messages in their answers. */
export const observeMailbox = (mailbox: Mailbox, onError: (error: MailboxError) => void): Mailbox => {
  const observe =
    (call: Call): Call =>
    async (...parameters) => {
      try {
        const answer = await call(...parameters);
        for (const fault of faultsIn(answer)) onError(fault);
        return answer;
      } catch (error) {
        if (error instanceof MailboxError) onError(error);
        throw error;
      }
    };
  const calls = Object.entries(mailbox).map(([name, call]) => [name, observe(call as Call)]);
  return Object.fromEntries(calls) as Mailbox;
};
