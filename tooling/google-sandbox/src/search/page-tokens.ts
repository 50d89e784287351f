import { createHmac } from 'node:crypto';
import type { BehaviourSettings } from '../behaviour.ts';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 500;
const CHECK_DIGITS = 12;
const POSITION_DIGITS = 8;
const POSITIONS = 10 ** POSITION_DIGITS;

/**
 * Page tokens: 20 digits from which no client can tell a position (fixture messages_list_inbox), or the position
 * itself, as the settings say. They hold no state, so they outlive a restart.
 */
export const createPageTokens = (key: Buffer, behaviour: BehaviourSettings) => {
  const digits = (text: string, count: number): string => {
    const hash = createHmac('sha256', key).update(`page token ${text}`).digest('hex');
    return (BigInt(`0x${hash}`) % 10n ** BigInt(count)).toString().padStart(count, '0');
  };

  const issueOpaque = (position: number): string => {
    const check = digits(`position ${position}`, CHECK_DIGITS);
    const masked = (position + Number(digits(check, POSITION_DIGITS))) % POSITIONS;
    return check + String(masked).padStart(POSITION_DIGITS, '0');
  };

  const readOpaque = (token: string): number | undefined => {
    const check = token.slice(0, CHECK_DIGITS);
    const masked = Number(token.slice(CHECK_DIGITS));
    const position = (masked - Number(digits(check, POSITION_DIGITS)) + POSITIONS) % POSITIONS;
    return issueOpaque(position) === token ? position : undefined;
  };

  return {
    issue: (position: number): string =>
      behaviour.now.opaquePageTokens ? issueOpaque(position) : String(position),
    /** The position of a token, 0 for none; undefined for a token that was never issued. */
    read(token: string | null): number | undefined {
      // An empty token is none.
      if (!token) return 0;
      if (/^\d{20}$/.test(token)) return readOpaque(token);
      return !behaviour.now.opaquePageTokens && /^\d{1,9}$/.test(token) ? Number(token) : undefined;
    },
  };
};

export type PageTokens = ReturnType<typeof createPageTokens>;

/** How many items a page holds, for a query of `messages.list` or `history.list`. */
export const readPageSize = (query: URLSearchParams): number => {
  const wanted = Number.parseInt(query.get('maxResults') ?? '', 10) || DEFAULT_PAGE_SIZE;
  return Math.min(Math.max(wanted, 1), MAX_PAGE_SIZE);
};
