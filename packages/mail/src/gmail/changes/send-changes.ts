import {
  GmailRefusal,
  type GmailSession,
  type ModifiedMessage,
  toBatchModifyRequest,
  toModifyRequest,
} from '@mailsweep/mail/gmail/api';
import { MailboxError, NO_CHANGE, type RequestedLabelChange } from '@mailsweep/mail/mailbox';

/** Up to so many messages are changed one by one; beyond, a batch costs less. */
export const MAX_SINGLE_CHANGES = 10;
const MAX_BATCH = 1_000;
/** Drafts can't have labels other than DRAFT (Gmail API guide, "Create and send draft emails"); chats are no email. */
const UNCHANGEABLE_LABELS: readonly string[] = ['DRAFT', 'CHAT'];

/** A change that was sent, by itself or in a batch, and Gmail's response. A good batch has an empty one. */
export interface SentChange {
  change: RequestedLabelChange;
  response?: ModifiedMessage;
  error?: MailboxError;
  isSingle: boolean;
}

export type Attempt<T> = { response: T; error?: never } | { response?: never; error: MailboxError };

export const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { response: await work() };
  } catch (error) {
    if (error instanceof MailboxError) return { error };
    throw error;
  }
};

/** Whether Gmail itself refused a request, so that it changed nothing. */
export const isRefusal = (error: MailboxError): boolean =>
  error instanceof GmailRefusal || ['not_found', 'forbidden'].includes(error.code);

export const sendSingle = async (
  session: GmailSession,
  change: RequestedLabelChange,
): Promise<SentChange> => ({
  change,
  isSingle: true,
  // Within the attempt: an id that can be none is refused here.
  ...(await attempt(() => session.send(toModifyRequest(change)))),
});

/**
 * Sends one change of many messages. One message that Gmail refuses fails all of them (a draft, an id it can't read),
 * so the batch is halved until it is found. Where the first half is refused message by message, and so is one of the
 * second half, it is not the messages, and the others are not tried.
 */
const sendBatch = async (
  session: GmailSession,
  changes: readonly RequestedLabelChange[],
): Promise<SentChange[]> => {
  if (changes.length <= MAX_SINGLE_CHANGES) {
    return await Promise.all(changes.map((change) => sendSingle(session, change)));
  }
  const ids = changes.map(({ id }) => id);
  const { error } = await attempt(() => session.send(toBatchModifyRequest(ids, changes[0] ?? NO_CHANGE)));
  // A label that is gone is so for all of them.
  if (error?.code === 'label_gone') return changes.map((change) => ({ change, error, isSingle: true }));
  if (error === undefined || !isRefusal(error)) {
    return changes.map((change) => ({ change, isSingle: false, ...(error && { error }) }));
  }
  const [first = [], second = []] = split(changes, Math.ceil(changes.length / 2));
  const sent = await sendBatch(session, first);
  if (error.code === 'not_found' || sent.some((one) => one.error?.code !== error.code)) {
    return [...sent, ...(await sendBatch(session, second))];
  }
  const [sample, ...others] = second;
  if (sample === undefined) return sent;
  const sampled = await sendSingle(session, sample);
  if (sampled.error?.code === error.code) {
    return [...sent, sampled, ...others.map((change) => ({ change, error, isSingle: true }))];
  }
  return [...sent, sampled, ...(await sendBatch(session, others))];
};

const split = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

const isUnchangeable = ({ before }: RequestedLabelChange): boolean =>
  before?.some((label) => UNCHANGEABLE_LABELS.includes(label)) ?? false;

const refuse = (change: RequestedLabelChange): SentChange => ({
  change,
  isSingle: true,
  error: new GmailRefusal('The labels of drafts and chats can not be changed'),
});

/**
 * Sends changes: those that many messages share in batches, the others one by one. Messages known to be drafts or
 * chats are not sent; their error says so.
 */
export const sendChanges = async (
  session: GmailSession,
  changes: readonly RequestedLabelChange[],
): Promise<SentChange[]> => {
  const toKey = ({ added, removed }: RequestedLabelChange) =>
    JSON.stringify([added.toSorted(), removed.toSorted()]);
  const groups = Map.groupBy(
    changes.filter((change) => !isUnchangeable(change)),
    toKey,
  );
  const batches = [...groups.values()].flatMap((group) => split(group, MAX_BATCH));
  const sent = await Promise.all(batches.map((batch) => sendBatch(session, batch)));
  return [...changes.filter(isUnchangeable).map(refuse), ...sent.flat()];
};
