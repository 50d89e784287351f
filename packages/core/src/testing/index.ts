/** What other packages share of the tests. */
export { announceWork } from '../due-work/due-work.repository.ts';
export { insertActionHistory } from '../history/action-history.repository.ts';
export { recordAlerts, recordAttention } from '../notifications/record-notifications.ts';
/** Simulated users, by whom the bench `learning` measures. */
export { type LearningReport, simulateUsers, USER_KINDS, type UserKind } from './simulated-users.ts';
export { openTestMailsweep } from './test-mailsweep.ts';
