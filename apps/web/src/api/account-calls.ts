import { LIST_AUDIT_ENTRIES_CALL, LIST_SESSIONS_CALL } from '@mailsweep/contracts';
import type { Calls } from './route-contracts.ts';

/** What the settings begin with. */
export const ACCOUNT_CALLS: Calls = {
  listSessions: LIST_SESSIONS_CALL,
  listAuditEntries: LIST_AUDIT_ENTRIES_CALL,
};
