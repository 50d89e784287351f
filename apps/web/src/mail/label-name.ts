/** The label at Gmail that accepting a suggestion to label a mail puts on it. */
export const toLabelName = (classification: string): string => `Mailsweep/${classification}`;
