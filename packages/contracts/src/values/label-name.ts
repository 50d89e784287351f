/** The names of labels by classification. */
type Names = Record<string, string>;

/** Most classifications whose label a user may name. */
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

/** Names conflict at Gmail that differ only in case, or in what separates their words. */
const toComparable = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/_.-]+/g, ' ')
    .trim();

const isSystemLabel = (name: string): boolean =>
  SYSTEM_LABELS.has(toComparable(name)) || SYSTEM_PREFIX.test(toComparable(name));

/** Labels without a name of the user's are below this one. */
const isDefaultName = (name: string): boolean => /^mailsweep($| )/.test(toComparable(name));

/** What is wrong with the name of a label; undefined for a possible one. */
export const findLabelNameError = (name: string): string | undefined => {
  if (/[\p{Cc}\p{Cf}]/u.test(name)) return 'must not contain control characters';
  if (!name.split('/').every((part) => part.trim() !== '' && part.trim() === part))
    return 'must have a name before and after each slash, without spaces beside it';
  if (isSystemLabel(name)) return 'must not be the name of a label of Gmail itself';
  if (isDefaultName(name)) return 'must not begin with Mailsweep, as the names do that hold without a choice';
  return undefined;
};

/** Applies changes to the names that the user chose before. */
export const mergeLabelNames = (before: Names, changes: Record<string, string | null> = {}): Names =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

/** Why names can't be stored together, and which classification is to blame. */
export interface LabelNamesError {
  classification: string;
  message: string;
}

/** What is wrong with the names of several classifications: two that Gmail takes for one, or too many. */
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
