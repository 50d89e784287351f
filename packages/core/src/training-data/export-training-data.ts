import type { KeyObject } from 'node:crypto';
import {
  SenderReductionSchema,
  SubjectReductionSchema,
  type TrainingDecision,
  TrainingDecisionSchema,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { toEmail } from '@mailsweep/mailbox';
import { readFactColumns, readMessageText, type TextCipher } from '@mailsweep/message-cache';
import { type GivenDecision, listGivenDecisions, listGivers } from './given-decisions.repository.ts';
import { createReducer } from './reduce-email.ts';

/** What an export had. */
export interface TrainingDataCounts {
  /** Users with at least one exported decision. */
  users: number;
  decisions: number;
  /** Decisions about emails that are not cached any more. */
  uncached: number;
  /** Decisions that do not fit the schema; they are left out. */
  invalid: number;
}

/**
 * Exports decisions about suggestions as training data, of users who have enabled it, one after the other. Memory is
 * that of one page of rows.
 *
 * @param options.key - for pseudonyms
 * @param options.counts - is counted up with what is yielded and left out
 */
export async function* exportTrainingData(options: {
  database: Database;
  cipher: TextCipher;
  key: KeyObject;
  counts: TrainingDataCounts;
}): AsyncGenerator<TrainingDecision> {
  const { database, cipher, counts } = options;
  const { toUser, reduceEmail } = createReducer(options.key);

  for await (const userId of listGivers(database)) {
    const before = counts.decisions;
    for await (const decision of listGivenDecisions(database, userId)) {
      const line = toLine(decision);
      if (line === undefined) continue;
      counts.decisions += 1;
      yield line;
    }
    if (counts.decisions > before) counts.users += 1;
  }

  function toLine(decision: GivenDecision): TrainingDecision | undefined {
    const { userId, emailId, message } = decision;
    const text = message && readMessageText(cipher, userId, emailId, message.encryptedText);
    if (!message || !text) {
      counts.uncached += 1;
      return undefined;
    }
    const facts = { ...text, ...readFactColumns(message) };
    const reductions = {
      sender: SenderReductionSchema.parse(decision.sender),
      subject: SubjectReductionSchema.parse(decision.subject),
    };
    // The schema's objects drop what they do not name, such as the service's own id of a suggestion.
    const { data } = TrainingDecisionSchema.safeParse({
      user: toUser(userId),
      email: reduceEmail(userId, toEmail(emailId, facts, message.labels).email, reductions),
      reductions,
      suggestion: decision.suggestion,
      accepted: decision.isAccepted,
      decidedAt: decision.decidedAt.toISOString(),
    });
    if (data === undefined) counts.invalid += 1;
    return data;
  }
}
