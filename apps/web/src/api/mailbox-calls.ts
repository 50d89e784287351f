import { LIST_SCANS_CALL, LIST_SENDERS_CALL, LIST_SUGGESTIONS_CALL } from '@mailsweep/contracts';
import type { Calls } from './route-contracts.ts';

/** What the suggestions and the senders begin with. */
export const MAILBOX_CALLS: Calls = {
  listSuggestions: LIST_SUGGESTIONS_CALL,
  listScans: LIST_SCANS_CALL,
  listSenders: LIST_SENDERS_CALL,
};
