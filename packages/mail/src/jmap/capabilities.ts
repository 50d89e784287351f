import { EMAIL_CATEGORIES, type MailboxCapabilities } from '@mailsweep/contracts';
import { toCategoryConditions } from './reading/email-filter.ts';

/** What the operator knows of a JMAP server, and no server tells. */
export interface ServerFacts {
  name: string;
  /** After how many days it empties the trash. */
  trashDays?: number | undefined;
  /** As `emailUrl` of `MailboxCapabilities`. */
  emailUrl?: string | undefined;
}

/** What a mailbox at a JMAP server can do: its categories are those that headers tell. */
export const toCapabilities = ({ name, trashDays, emailUrl }: ServerFacts): MailboxCapabilities => ({
  name,
  categories: EMAIL_CATEGORIES.filter((category) => toCategoryConditions(category) !== undefined),
  hasQuotaUnits: false,
  trashDays: trashDays ?? null,
  emailUrl: emailUrl ?? null,
});
