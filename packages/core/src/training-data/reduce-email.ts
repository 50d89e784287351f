import { createHmac, type KeyObject } from 'node:crypto';
import type { Email, MlRequestItem, SenderReduction, SubjectReduction } from '@mailsweep/contracts';
import { toSenderAddress } from '@mailsweep/mail/message-cache';

export interface Reductions {
  sender: SenderReduction;
  subject: SubjectReduction;
}

/** HMAC-SHA-256 in hex. Values of different kinds never share one. */
const toPseudonym = (key: KeyObject, kind: 'user' | 'email' | 'sender' | 'subject', value: string): string =>
  createHmac('sha256', key).update(`${kind}\0${value}`).digest('hex');

/** The domain of the sender's address; empty where the header has none. */
const toDomain = (from: string): string =>
  /@([\p{L}\p{N}][\p{L}\p{N}.-]*)$/u.exec(toSenderAddress(from))?.[1] ?? '';

/**
 * What training data says of users and emails instead of their ids, and of senders and subjects as the user chose.
 *
 * @param key - of the installation; anyone with it can try out which value a pseudonym stands for
 */
export const createReducer = (key: KeyObject) => {
  const senders: Record<SenderReduction, (from: string) => string> = {
    kept: (from) => from,
    domain: toDomain,
    hashed: (from) => toPseudonym(key, 'sender', toSenderAddress(from)),
  };
  const subjects: Record<SubjectReduction, (subject: string) => string> = {
    kept: (subject) => subject,
    omitted: () => '',
    hashed: (subject) => toPseudonym(key, 'subject', subject),
  };
  return {
    /** The same in every export of an installation. */
    toUser: (userId: string): string => toPseudonym(key, 'user', userId),

    /** The fields that a classification service gets of an email, reduced. */
    reduceEmail: (userId: string, email: Email, reductions: Reductions): Required<MlRequestItem> => ({
      id: toPseudonym(key, 'email', `${userId}\0${email.id}`),
      from: senders[reductions.sender](email.from),
      subject: subjects[reductions.subject](email.subject),
      date: email.date,
      isRead: email.isRead,
      category: email.category,
      attachmentSizeMb: email.attachmentSizeMb,
    }),
  };
};
