import { LABEL_PREFIX, MailboxFaultSchema } from '@mailsweep/contracts';
import { type FoundLabel, type LabelLimits, type Mailbox, MailboxError } from '@mailsweep/mail/mailbox';

/** The classification service chooses the names, so it must not be able to fill a mailbox with labels. */
const LABEL_LIMITS = { perCall: 10, inTotal: 100, prefix: LABEL_PREFIX };
/** The user chose these names, and how many they are is limited where they are stored. */
const NAMED_LABEL_LIMITS = { perCall: 10, inTotal: Number.POSITIVE_INFINITY, prefix: '' };

/**
 * The name of the label for a classification: in Unicode normal form, without control and format characters, without
 * superfluous white space, and without empty parts between slashes, which nest labels at Gmail. As classifications have
 * 100 characters at most, it stays within the 225 that Gmail allows.
 *
 * @returns undefined when nothing is left of the classification
 */
export const toLabelName = (classification: string): string | undefined => {
  const tail = classification
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .split('/')
    .map((part) => part.replaceAll(/\s+/gu, ' ').trim())
    .filter((part) => part !== '')
    .join('/');
  return tail === '' ? undefined : LABEL_PREFIX + tail;
};

/** The mailbox's label for a classification under its name, or why there is none. */
export type ClassificationLabel = { name: string } & FoundLabel;

/**
 * The label for each classification: the one that the user named for it, otherwise the default. Missing labels are
 * created: 10 in one call at most; of the default ones, 100 in a mailbox. An error of the mailbox is returned for the
 * emails that it concerns, not thrown: other emails need no label.
 *
 * @param ownNames - what the user chose, by classification
 */
export const findClassificationLabels = async (
  mailbox: LabelMaker,
  classifications: readonly string[],
  ownNames: Readonly<Record<string, string>>,
): Promise<Map<string, ClassificationLabel>> => {
  const isOwn = (classification: string) => Object.hasOwn(ownNames, classification);
  const names = new Map(
    classifications.map((one) => [one, isOwn(one) ? ownNames[one] : toLabelName(one)] as const),
  );
  const wanted = (own: boolean) => [
    ...new Set([...names].flatMap(([one, name]) => (name !== undefined && isOwn(one) === own ? [name] : []))),
  ];
  const found = new Map([
    ...(await findLabels(mailbox, wanted(true), NAMED_LABEL_LIMITS)),
    ...(await findLabels(mailbox, wanted(false), LABEL_LIMITS)),
  ]);
  return new Map(
    [...names].map(([one, name = '']) => {
      const label = found.get(name) ?? { reason: 'failed' as const };
      return [one, { ...label, name }];
    }),
  );
};

type LabelMaker = Pick<Mailbox, 'findOrCreateLabels'>;

const findLabels = async (
  mailbox: LabelMaker,
  names: readonly string[],
  limits: LabelLimits,
): Promise<Map<string, FoundLabel>> => {
  if (names.length === 0) return new Map();
  try {
    return await mailbox.findOrCreateLabels(names, limits);
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
    return new Map(names.map((name) => [name, { reason: error.code }]));
  }
};

/** The user names the label, so it may be any; other labels of the mailbox do not count. */
const OWN_LABEL_LIMITS = { perCall: 1, inTotal: Number.POSITIVE_INFINITY, prefix: '' };

/**
 * The id of the user's label with this name; a missing one is created.
 *
 * @throws {MailboxError} when it can't be found or created
 */
export const findOwnLabel = async (mailbox: LabelMaker, name: string): Promise<string> => {
  const found = (await mailbox.findOrCreateLabels([name], OWN_LABEL_LIMITS)).get(name);
  if (found !== undefined && 'id' in found) return found.id;
  const { data: code = 'failed' } = MailboxFaultSchema.safeParse(found?.reason);
  throw new MailboxError(code, 'The label could not be found or created');
};
