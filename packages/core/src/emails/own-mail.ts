/** The provider's labels of mail that the user wrote, or is writing. */
const OWN_MAIL_LABELS = ['SENT', 'DRAFT'];

/** Whether the user wrote the mail: it gets no suggestions. */
export const isOwnMail = (labels: readonly string[]): boolean =>
  labels.some((label) => OWN_MAIL_LABELS.includes(label));
