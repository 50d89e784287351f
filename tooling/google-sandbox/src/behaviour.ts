import { z } from 'zod';

const MAX_WAIT_MS = 120_000;

/**
 * How faithfully the sandbox plays Google. Sources: "fixture" is a response recorded from a real account in
 * bingran-you/smolclaw, tests/fixtures/real_gmail; owner/repo#n is a GitHub thread; other names are pages of
 * Google's documentation.
 */
const BehaviourSchema = z.strictObject({
  /**
   * Whether modify, trash, untrash and insert respond with `id`, `threadId` and `labelIds` alone: no history id, no
   * headers (fixture message_modify_response, message_trash_response, message_untrash_response).
   */
  shortChangeResponses: z.boolean(),
  /** Whether `resultSizeEstimate` is 201 as long as there is a next page (fixture messages_list_inbox; openclaw/gogcli#983). */
  flatEstimate: z.boolean(),
  /**
   * Whether every full page carries a page token, the last one too; an empty page follows then (fixture
   * messages_list_inbox: a full page of 5 in an inbox of 5, see label_get_inbox).
   */
  tokenAfterFullPage: z.boolean(),
  /** Whether page tokens are 20 digits that tell nothing (fixture messages_list_inbox). */
  opaquePageTokens: z.boolean(),
  /** Whether `category:primary` finds mail labelled CATEGORY_PERSONAL alone, not mail without a category (huacnlee/omamail#19). */
  primaryIsPersonal: z.boolean(),
  /**
   * How long the records of changes made from now on stay invisible, in milliseconds. New mail was seen missing for 1 to 3
   * seconds (openclaw/gogcli#379); for batchModify nothing is known.
   */
  historyDelayMs: z.number().int().min(0).max(MAX_WAIT_MS),
  /**
   * Whether the mailbox's history id already counts changes whose records are invisible still. Notifications name such
   * ids (openclaw/gogcli#379); what `history.list` and `getProfile` give is unknown, so both are offered.
   */
  historyIdLeadsRecords: z.boolean(),
  /**
   * What one change of several labels leaves behind: one record, or a record for what was added and one for what was
   * removed, in either order. Unknown, so all are offered.
   */
  historyRecords: z.enum(['joined', 'added_first', 'removed_first']),
  /** In which order the messages of one batchModify appear in the history. Unknown, so both are offered. */
  historyBatchOrder: z.enum(['as_requested', 'reversed']),
  /**
   * Whether Gmail changes the label IMPORTANT, in records of its own between the others, as messages leave or enter
   * the inbox (Gmail help, "Importance markers": the markers follow what is done with mail).
   */
  importanceFollowsChanges: z.boolean(),
  /** How many empty pages with a page token come before the first page with records (gauteh/lieer#22, gauteh/lieer#24). */
  historyEmptyPages: z.number().int().min(0).max(20),
  /** How many empty pages come after the last one with records; each page before them has a page token (gauteh/lieer#24). */
  historyTrailingPages: z.number().int().min(0).max(20),
  /**
   * Whether drafts take no label changes ("Create and send draft emails": they can't have any label other than DRAFT;
   * taylorwilsdon/google_workspace_mcp#1106). Whether a batch fails whole or passes them over is unknown.
   */
  draftChanges: z.enum(['accepted', 'refused', 'refused_alone']),
  /** Whether deleting a label writes history for the messages that had it. Unknown, so both are offered. */
  labelDeletionInHistory: z.boolean(),
  /** How long batchModify takes at least, in milliseconds. No figure is published. */
  batchModifyMs: z.number().int().min(0).max(MAX_WAIT_MS),
  /** Whether refusals for quota carry `Retry-After`; reported ones name no such header (mxngls/gmail-cleaner#5, elie222/inbox-zero#379). */
  retryAfterHeader: z.boolean(),
  /** Whether consent gives a refresh token but a later sign-in without `prompt=consent` does not ("Using OAuth 2.0 for Web Server Applications"). */
  refreshTokenOnConsentOnly: z.boolean(),
  /**
   * Life of a refresh token in seconds, 0 for one that does not expire. 604,800 (7 days) for a program in testing
   * ("Using OAuth 2.0 to Access Google APIs", refresh token expiration). Holds for tokens issued from then on.
   */
  refreshTokenTtlSeconds: z.number().int().min(0),
  /** Whether the consent page's box for Gmail is ticked already; it is not (Mail-0/Zero#1736, FlowCrypt/flowcrypt-ios#530). */
  mailBoxTicked: z.boolean(),
  /** Whether revoking a token that is revoked or expired is refused with `invalid_token` (customeros/customeros#11611). */
  revokeRefusesDeadTokens: z.boolean(),
});
export type Behaviour = z.infer<typeof BehaviourSchema>;

/**
 * How the sandbox behaves when told nothing. It differs from {@link faithfulBehaviour} where that takes time or happens
 * rarely: late and incomplete history, refresh tokens that expire. Tests set those themselves.
 */
export const sandboxDefaults: Behaviour = {
  shortChangeResponses: true,
  flatEstimate: true,
  tokenAfterFullPage: true,
  opaquePageTokens: true,
  primaryIsPersonal: true,
  historyDelayMs: 0,
  historyIdLeadsRecords: false,
  historyRecords: 'added_first',
  historyBatchOrder: 'reversed',
  importanceFollowsChanges: false,
  historyEmptyPages: 0,
  historyTrailingPages: 0,
  draftChanges: 'refused',
  labelDeletionInHistory: false,
  batchModifyMs: 0,
  retryAfterHeader: false,
  refreshTokenOnConsentOnly: true,
  refreshTokenTtlSeconds: 0,
  mailBoxTicked: false,
  revokeRefusesDeadTokens: true,
};

/** What is known of Google; where nothing is known, the variant that asks most of a client. */
const faithfulBehaviour: Behaviour = {
  ...sandboxDefaults,
  historyDelayMs: 1_500,
  historyIdLeadsRecords: true,
  importanceFollowsChanges: true,
  historyEmptyPages: 1,
  historyTrailingPages: 1,
  refreshTokenTtlSeconds: 604_800,
};

/** A change of some settings. `faithful` sets all to {@link faithfulBehaviour} before the others are applied. */
export const BehaviourChangeSchema = BehaviourSchema.partial().extend({
  faithful: z.literal(true).optional(),
});
export type BehaviourChange = z.infer<typeof BehaviourChangeSchema>;

const apply = (before: Behaviour, { faithful, ...change }: BehaviourChange): Behaviour =>
  BehaviourSchema.parse({ ...(faithful ? faithfulBehaviour : before), ...change });

/** Keeps the settings of a running sandbox. @param start - what differs from {@link sandboxDefaults} from the start */
export const createBehaviourSettings = (start: BehaviourChange = {}) => {
  const atStart = apply(sandboxDefaults, start);
  let now = atStart;
  return {
    /** As they are now: read at each use, for they change. */
    get now(): Behaviour {
      return now;
    },
    change(change: BehaviourChange): void {
      now = apply(now, change);
    },
    reset(): void {
      now = atStart;
    },
  };
};
export type BehaviourSettings = ReturnType<typeof createBehaviourSettings>;
