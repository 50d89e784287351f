import type { Prisma } from '@mailsweep/database';

/** A sender that a rule names. Keys are hexadecimal: ids of the sender. */
export interface RuleSender {
  key: string;
  formerKey: string | null;
  encryptedSender: string;
}

/** A rule as it is stored. */
export type RuleRow = Prisma.RuleGetPayload<object> & { senders: RuleSender[] };
