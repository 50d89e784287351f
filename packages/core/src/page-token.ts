import { createHash } from 'node:crypto';
import { InvalidPageTokenError } from '@mailsweep/mail/mailbox';

/** Characters of the list's fingerprint, before the provider's own token. */
const FINGERPRINT_LENGTH = 12;

/**
 * Lists a page, and binds the token of the next one to this list: a provider takes a token with other filters, too, and
 * returns a page that belongs to no list. Pages may have different sizes (https://google.aip.dev/158).
 *
 * @throws {InvalidPageTokenError} when the token is of a list with other filters or another scope
 */
export const listBoundPage = async <
  Query extends { pageSize: number },
  Page extends { nextPageToken: string | null },
>(
  { pageToken, ...list }: Query & { pageToken?: string | undefined },
  listPage: (list: Omit<Query, 'pageToken'>, pageToken: string | undefined) => Promise<Page>,
): Promise<Page> => {
  const filters = Object.entries(list).filter(([name, value]) => name !== 'pageSize' && value !== undefined);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(filters.toSorted()))
    .digest('base64url')
    .slice(0, FINGERPRINT_LENGTH);
  if (pageToken !== undefined && !pageToken.startsWith(fingerprint)) throw new InvalidPageTokenError();
  const page = await listPage(list, pageToken?.slice(FINGERPRINT_LENGTH));
  const { nextPageToken } = page;
  return { ...page, nextPageToken: nextPageToken === null ? null : `${fingerprint}${nextPageToken}` };
};
