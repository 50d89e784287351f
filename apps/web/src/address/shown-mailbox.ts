/**
 * The number of the mailbox that this page is of, as the address has it; undefined for the one of the sign-in. The API
 * refuses what is no number. Switching loads another page.
 */
export const shownMailbox = (): string | undefined => /^\/m\/([^/]+)/.exec(window.location.pathname)?.[1];

/** The address of a screen, such as `/m/2/inbox`: of the mailbox that this page is of, or another one. */
export const toAddress = (path: string, mailbox: number | string | undefined = shownMailbox()): string =>
  mailbox === undefined ? path : `/m/${mailbox}${path}`;

/** What the browser stores for the mailbox of this page is stored as this. */
export const toStorageKey = (name: string): string => {
  const mailbox = shownMailbox();
  return mailbox === undefined ? `mailsweep.${name}` : `mailsweep.m${mailbox}.${name}`;
};
