/** The label at Gmail that accepting a suggestion to label an email puts on it. */
export const toLabelName = (classification: string): string => `Mailsweep/${classification}`;
