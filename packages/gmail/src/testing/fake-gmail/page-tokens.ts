import { type FakeGmailBehaviour, refusal } from './fake-types.ts';

/** Page tokens and the places in a list that they stand for. */
export const createPageTokens = (behaviour: FakeGmailBehaviour) => {
  const offsets = new Map<string, number>();
  return {
    issue(offset: number): string {
      const token = behaviour.opaquePageTokens
        ? String(7n ** 23n + BigInt(offset)).padStart(20, '0')
        : String(offset);
      offsets.set(token, offset);
      return token;
    },
    read: (query: URLSearchParams): number | undefined => {
      const token = query.get('pageToken');
      return token ? offsets.get(token) : 0;
    },
  };
};
export type PageTokens = ReturnType<typeof createPageTokens>;

export const INVALID_PAGE_TOKEN = refusal(400, 'invalidArgument', 'Invalid pageToken');
