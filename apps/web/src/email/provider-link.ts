/** Address of one email in Gmail's own web app, opened in the right account. */
export const toGmailUrl = (emailId: string, account: string): string =>
  `https://mail.google.com/mail/?authuser=${encodeURIComponent(account)}#all/${encodeURIComponent(emailId)}`;
