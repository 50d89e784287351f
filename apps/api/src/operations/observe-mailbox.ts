import { type Mailbox, MailboxError } from '@mailsweep/mailbox-sync';

type Call = (...parameters: unknown[]) => Promise<unknown>;

/** The errors in a call's result, one for each failed message. */
const errorsIn = (result: unknown): MailboxError[] =>
  Array.isArray(result)
    ? result.flatMap((item: { error?: unknown }) => (item?.error instanceof MailboxError ? [item.error] : []))
    : [];

/** A mailbox that reports its errors: those of whole calls, and those of single messages in their results. */
export const observeMailbox = (mailbox: Mailbox, onError: (error: MailboxError) => void): Mailbox => {
  const observe =
    (call: Call): Call =>
    async (...parameters) => {
      try {
        const result = await call(...parameters);
        for (const error of errorsIn(result)) onError(error);
        return result;
      } catch (error) {
        if (error instanceof MailboxError) onError(error);
        throw error;
      }
    };
  const calls = Object.entries(mailbox).map(([name, call]) => [name, observe(call as Call)]);
  return Object.fromEntries(calls) as Mailbox;
};
