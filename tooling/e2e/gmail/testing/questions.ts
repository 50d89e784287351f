/** What only the owner of a mailbox can see. */
export const QUESTIONS = {
  unverifiedApp: 'Did Google warn that it has not verified the app?',
  boxTicked: 'Was the box for Gmail on the consent page ticked before you touched it?',
  inboxShows: 'Open Gmail: does its inbox show the messages "Mailsweep live check …" now?',
  tabs: 'Does your Gmail inbox have tabs (Primary, Promotions, …)?',
  consoleQuota: 'Does the console’s quota page of the Gmail API show 6,000 units per minute per user?',
} as const;

/** Without those to which the owner had no answer. */
export type Answers = Partial<Record<keyof typeof QUESTIONS, boolean>>;
