import { GET_ME_ROUTE, LIST_EMAILS_CALL } from '@mailsweep/contracts';
import type { Calls } from './route-contracts.ts';

/** What every visit begins with; comes with the app. */
export const FIRST_CALLS: Calls = { getMe: GET_ME_ROUTE, listEmails: LIST_EMAILS_CALL };
