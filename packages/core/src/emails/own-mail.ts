/** The provider's labels of mail that the person wrote, or is writing. */
const OWN_MAIL_LABELS = ['SENT', 'DRAFT'];

/** Whether the person wrote the mail: nobody needs to be told what to do with it. */
export const isOwnMail = (labels: readonly string[]): boolean =>
  labels.some((label) => OWN_MAIL_LABELS.includes(label));
