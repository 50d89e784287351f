import { z } from 'zod';
import { type GmailClient, toBatchModify } from './gmail-client.ts';
import { DRAFT_SUBJECT, SENDER } from './test-mail.ts';
import { LabelSchema, MAIN_LABEL } from './workspace.ts';

const PAGE_SIZE = 500;
const MAX_BATCH = 1_000;

const IdSchema = z.object({ id: z.string() });
const LabelsSchema = z.object({ labels: z.array(LabelSchema).default([]) });
const PageSchema = z.object({
  messages: z.array(IdSchema).default([]),
  nextPageToken: z.string().optional(),
});
const DraftsSchema = z.object({
  drafts: z.array(IdSchema).default([]),
  nextPageToken: z.string().optional(),
});
const HeadersSchema = z.object({
  payload: z
    .object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) })
    .default({ headers: [] }),
});
const DraftSchema = z.object({ message: HeadersSchema });

export interface CleanUpReport {
  /** How many messages were moved to the trash: gmail.modify does not allow more. */
  messages: number;
  drafts: number;
  labels: number;
  /** Messages under our label that are not ours; they were left alone, and so was the label. */
  foreignMessages: number;
}

const listAll = async (gmail: GmailClient, labelId: string, q?: string): Promise<string[]> => {
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const query = new URLSearchParams({
      labelIds: labelId,
      includeSpamTrash: 'true',
      maxResults: String(PAGE_SIZE),
    });
    if (q !== undefined) query.set('q', q);
    if (pageToken !== undefined) query.set('pageToken', pageToken);
    const page = await gmail.must({ method: 'GET', path: `messages?${query}` }, PageSchema);
    ids.push(...page.messages.map(({ id }) => id));
    pageToken = page.messages.length === 0 ? undefined : page.nextPageToken;
  } while (pageToken !== undefined);
  return ids;
};

const headerOf = ({ payload }: z.output<typeof HeadersSchema>, name: string): string =>
  payload.headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';

const isFromUs = async (gmail: GmailClient, id: string): Promise<boolean> => {
  const path = `messages/${id}?format=metadata&metadataHeaders=From`;
  return headerOf(await gmail.must({ method: 'GET', path }, HeadersSchema), 'from').includes(SENDER);
};

const fold = (name: string): string => name.toLowerCase();

/** In any case: one check tries to create a label whose name differs in that alone. */
const isOurLabel = (name: string): boolean =>
  fold(name) === fold(MAIN_LABEL) || fold(name).startsWith(`${fold(MAIN_LABEL)}/`);

/** Deletes the draft of the check of drafts, for good: a draft can't be in the trash. */
const deleteDrafts = async (gmail: GmailClient): Promise<number> => {
  const query = new URLSearchParams({ q: `subject:"${DRAFT_SUBJECT}"`, maxResults: String(PAGE_SIZE) });
  const { drafts } = await gmail.must({ method: 'GET', path: `drafts?${query}` }, DraftsSchema);
  let deleted = 0;
  for (const { id } of drafts) {
    const { message } = await gmail.must(
      { method: 'GET', path: `drafts/${id}?format=metadata` },
      DraftSchema,
    );
    // Gmail sets the sender of a draft itself; only live checks write to this address.
    const isOurs = headerOf(message, 'subject') === DRAFT_SUBJECT && headerOf(message, 'to').includes(SENDER);
    if (!isOurs) continue;
    await gmail.must({ method: 'DELETE', path: `drafts/${id}` }, z.unknown());
    deleted += 1;
  }
  return deleted;
};

/**
 * Takes away what this run or an earlier one has left: the messages that live checks inserted go to the trash, their
 * draft and their labels are deleted. Nothing else is touched.
 *
 * @param ownIds - messages known to be ours; others under our label have to prove it by their sender
 */
export const cleanUp = async (gmail: GmailClient, ownIds: ReadonlySet<string>): Promise<CleanUpReport> => {
  const drafts = await deleteDrafts(gmail);
  const { labels } = await gmail.must({ method: 'GET', path: 'labels' }, LabelsSchema);
  const ours = labels.filter(({ name }) => isOurLabel(name));
  const main = ours.find(({ name }) => fold(name) === fold(MAIN_LABEL));
  const labelled = main === undefined ? [] : await listAll(gmail, main.id);
  const unproven = new Set(labelled.filter((id) => !ownIds.has(id)));
  if (main !== undefined && unproven.size > 0) {
    for (const id of await listAll(gmail, main.id, `from:${SENDER}`)) unproven.delete(id);
  }
  const foreign = new Set<string>();
  for (const id of unproven) if (!(await isFromUs(gmail, id))) foreign.add(id);

  const ids = [...new Set([...ownIds, ...labelled])].filter((id) => !foreign.has(id));
  for (let from = 0; from < ids.length; from += MAX_BATCH) {
    const batch = ids.slice(from, from + MAX_BATCH);
    await gmail.must(toBatchModify(batch, ['TRASH'], ['INBOX', 'UNREAD', 'STARRED']), z.unknown());
  }
  const deletable = ours.filter(({ id }) => foreign.size === 0 || id !== main?.id);
  // The main label last: by it a further run would find what is left of this one.
  for (const { id } of deletable.toSorted((one, other) => other.name.length - one.name.length)) {
    await gmail.must({ method: 'DELETE', path: `labels/${id}` }, z.unknown());
  }
  return { messages: ids.length, drafts, labels: deletable.length, foreignMessages: foreign.size };
};
