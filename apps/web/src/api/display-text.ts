import type { ApiClient } from '@mailsweep/client';

/** Reorder the text around them (Unicode UAX 9): `gpj.exe` can look like `exe.jpg`. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Removes characters that reorder text. */
export const toDisplayText = (text: string): string => text.replace(BIDI_CONTROLS, '');

const TEXT_FIELDS = ['from', 'newestFrom', 'subject', 'snippet'];

/** Cleans those fields, and what has them within it. */
const clean = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(clean) as T;
  if (typeof value !== 'object' || value === null) return value;
  const cleaned = Object.entries(value).map(([name, part]) => [
    name,
    typeof part === 'string' && TEXT_FIELDS.includes(name) ? toDisplayText(part) : clean(part),
  ]);
  return Object.fromEntries(cleaned) as T;
};

/** Makes a client return texts that are safe to show. */
export const withDisplayText = (client: ApiClient): ApiClient => {
  const cleaning =
    <Request, Response>(read: (request: Request) => Promise<Response>) =>
    async (request: Request) =>
      clean(await read(request));
  return {
    ...client,
    listEmails: cleaning(client.listEmails),
    listSuggestions: cleaning(client.listSuggestions),
    lookUpEmails: cleaning(client.lookUpEmails),
    readConversation: cleaning(client.readConversation),
    listSenders: cleaning(client.listSenders),
    listActionBatches: cleaning(client.listActionBatches),
    listBatchSenders: cleaning(client.listBatchSenders),
    createCleanup: cleaning(client.createCleanup),
    getCleanup: cleaning(client.getCleanup),
    listCleanupEmails: cleaning(client.listCleanupEmails),
    listSuggestionGroups: cleaning(client.listSuggestionGroups),
    listStoredSuggestions: cleaning(client.listStoredSuggestions),
    listSenderEmails: cleaning(client.listSenderEmails),
  };
};
