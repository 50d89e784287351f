/** What other packages share of the tests: simulated users, by whom the bench `learning` measures. */
export { type LearningReport, simulateUsers, USER_KINDS, type UserKind } from './simulated-users.ts';
