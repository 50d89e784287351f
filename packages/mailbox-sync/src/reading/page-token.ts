/** A number of emails and the provider's token. A token without the number is of an older version of ours. */
const PAGE_TOKEN = /^(\d{1,9})\.(.+)$/s;

/** A page token of ours: the provider's, and how many emails the pages before it had. */
export interface PageToken {
  counted: number;
  providerToken: string | undefined;
}

/** Reads a page token. One that is not of this form goes to the provider as it is, which refuses what it does not know. */
export const readPageToken = (token: string | undefined): PageToken => {
  const [, counted = '0', providerToken = token] = PAGE_TOKEN.exec(token ?? '') ?? [];
  return { counted: Number(counted), providerToken };
};

export const writePageToken = (counted: number, providerToken: string): string =>
  `${counted}.${providerToken}`;
