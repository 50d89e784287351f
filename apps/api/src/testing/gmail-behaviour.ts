/**
 * What the sandbox does as the real Gmail and the emulator does not, by the names of the local stack's sandbox
 * (packages/google-sandbox/README.md, with sources in packages/google-sandbox/src/behaviour.ts).
 */
interface GmailBehaviour {
  /** Changes are answered with `id`, `threadId` and `labelIds` alone. */
  shortChangeResponses: boolean;
  /** A full page has a token even when nothing follows. */
  tokenAfterFullPage: boolean;
  /** Page tokens are 20 digits that tell nothing. */
  opaquePageTokens: boolean;
}

/** `false` stands where the product does not cope yet; it is changed together with what makes it cope. */
const gmailDefaults: GmailBehaviour = {
  shortChangeResponses: false,
  tokenAfterFullPage: true,
  opaquePageTokens: true,
};

const LIST_PATH = /^\/gmail\/v1\/users\/me\/messages\?/;
const CHANGE_PATH = /^\/gmail\/v1\/users\/me\/messages\/[^/]+\/(modify|trash|untrash)(\?|$)/;
const FLAT_ESTIMATE = 201;
const DEFAULT_PAGE_SIZE = 100;
/** The emulator's page tokens are offsets; ours stand this far behind them. */
const TOKEN_SHIFT = 7n ** 23n;

type Json = Record<string, unknown>;

/** Turns requests into what the emulator understands, and its answers into what Gmail gives. */
export const createGmailBehaviour = (behaviour = gmailDefaults) => {
  const toList = (path: string, list: Json): Json => {
    const query = new URLSearchParams(path.split('?')[1]);
    const offset = Number(query.get('pageToken') || 0);
    const pageSize = Number(query.get('maxResults') ?? DEFAULT_PAGE_SIZE);
    const messages = list.messages as unknown[];
    const isFull = messages.length === pageSize;
    const hasToken = list.nextPageToken !== undefined || (isFull && behaviour.tokenAfterFullPage);
    const next = offset + pageSize;
    const estimate = hasToken ? FLAT_ESTIMATE : messages.length;
    return {
      ...(messages.length > 0 && { messages }),
      ...(hasToken && {
        nextPageToken: behaviour.opaquePageTokens ? String(TOKEN_SHIFT + BigInt(next)) : String(next),
      }),
      resultSizeEstimate: estimate,
    };
  };

  return {
    /** A path with its page token as the emulator knows it. */
    toEmulatorPath: (path: string): string =>
      LIST_PATH.test(path)
        ? path.replace(/([?&]pageToken=)(\d{20})(?=&|$)/, (_all, name: string, token: string) =>
            [name, BigInt(token) - TOKEN_SHIFT].join(''),
          )
        : path,
    /** The emulator's good JSON answer to a path in the emulator's form, as Gmail gives it. */
    toAnswer(path: string, response: Json): Json {
      if (LIST_PATH.test(path)) return toList(path, response);
      if (!CHANGE_PATH.test(path) || !behaviour.shortChangeResponses) return response;
      const { id, threadId, labelIds } = response;
      return { id, threadId, labelIds };
    },
  };
};
