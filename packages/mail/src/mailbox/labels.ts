import type { EmailCategory } from '@mailsweep/contracts';

/** System labels that carry a meaning for us; the names are Gmail's. `chat` is of whatever a mailbox holds that is no mail. */
export const SYSTEM_LABELS = {
  inbox: 'INBOX',
  unread: 'UNREAD',
  trash: 'TRASH',
  spam: 'SPAM',
  draft: 'DRAFT',
  chat: 'CHAT',
  sent: 'SENT',
  starred: 'STARRED',
  important: 'IMPORTANT',
} as const;

/** Gmail's label of each category that has one of its own, in order of precedence. */
const CATEGORY_LABELS = [
  ['promotions', 'CATEGORY_PROMOTIONS'],
  ['social', 'CATEGORY_SOCIAL'],
  ['updates', 'CATEGORY_UPDATES'],
  ['forums', 'CATEGORY_FORUMS'],
] as const satisfies [EmailCategory, string][];

/** Gmail's label of each category; of primary, emails without any category label do not have it. */
export const LABELS_BY_CATEGORY = [['primary', 'CATEGORY_PERSONAL'], ...CATEGORY_LABELS] as const satisfies [
  EmailCategory,
  string,
][];

export const isCategoryLabel = (label: string): boolean =>
  LABELS_BY_CATEGORY.some(([, own]) => own === label);

export const CATEGORIES_WITH_LABEL: readonly EmailCategory[] = CATEGORY_LABELS.map(([name]) => name);

/**
 * The category of a message by its labels; without a category label, or with `CATEGORY_PERSONAL`, it is primary.
 */
export const toCategory = (labels: readonly string[]): EmailCategory =>
  CATEGORY_LABELS.find(([, label]) => labels.includes(label))?.[0] ?? 'primary';

/** The label that every message of the category carries; undefined for primary, which needs none. */
export const toCategoryLabel = (category: EmailCategory): string | undefined =>
  CATEGORY_LABELS.find(([name]) => name === category)?.[1];
