/** The names of labels by classification. */
type Names = Record<string, string>;

export const MAX_LABEL_NAMES = 50;
/** Gmail takes label names of up to 225 characters. */
export const MAX_LABEL_NAME_LENGTH = 225;

/** What Gmail calls its own labels, as {@link toComparable} writes it. */
const SYSTEM_LABELS = new Set([
  'all mail',
  'chat',
  'chats',
  'draft',
  'drafts',
  'important',
  'inbox',
  'muted',
  'scheduled',
  'sent',
  'snoozed',
  'spam',
  'starred',
  'trash',
  'unread',
]);
const SYSTEM_PREFIX = /^(category |\[(gmail|google mail)\])/;

/** At Gmail, names that differ only in case or separators conflict. */
const toComparable = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/_.-]+/g, ' ')
    .trim();

const isSystemLabel = (name: string): boolean =>
  SYSTEM_LABELS.has(toComparable(name)) || SYSTEM_PREFIX.test(toComparable(name));

/** Parent of labels that the user did not name. */
const isDefaultName = (name: string): boolean => /^mailsweep($| )/.test(toComparable(name));

/** What is wrong with the name of a label that is added, if anything. */
export const findLabelError = (name: string): string | undefined => {
  if (/[\p{Cc}\p{Cf}]/u.test(name)) return 'must not contain control characters';
  if (!name.split('/').every((part) => part.trim() !== '' && part.trim() === part))
    return 'must have a name before and after each slash, without spaces beside it';
  return isSystemLabel(name) ? 'must not be the name of a label of Gmail itself' : undefined;
};

/** What is wrong with a name that the user chooses for a classification, if anything. */
export const findLabelNameError = (name: string): string | undefined =>
  findLabelError(name) ??
  (isDefaultName(name)
    ? 'must not begin with Mailsweep, as the names do that hold without a choice'
    : undefined);

/**
 * Another name for a label whose name the provider refuses: it may be reserved in the language of the account, and no list
 * tells all of them (GAM-team/got-your-back#442).
 */
export const toOtherLabelName = (name: string): string => `_${name}`.slice(0, MAX_LABEL_NAME_LENGTH).trim();

export const mergeLabelNames = (before: Names, changes: Record<string, string | null> = {}): Names =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

/** Why names can't be stored together, and which classification is to blame. */
export interface LabelNamesError {
  classification: string;
  message: string;
}

/** What is wrong with names together: two that Gmail takes for one, or too many. */
export const findLabelNamesError = (names: Names): LabelNamesError | undefined => {
  const known = new Map<string, string>();
  for (const [classification, name] of Object.entries(names)) {
    const other = known.get(toComparable(name));
    if (other !== undefined) return { classification, message: `must differ from the name for ${other}` };
    if (known.size === MAX_LABEL_NAMES) {
      return { classification, message: `is one name too many: at most ${MAX_LABEL_NAMES}` };
    }
    known.set(toComparable(name), classification);
  }
  return undefined;
};
