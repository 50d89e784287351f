import {
  type Counts,
  type ListSuggestionGroupsQuery,
  type ListSuggestionGroupsResponse,
  MAX_GROUP_LABELS,
  type SuggestionGroup,
  type SuggestionGrouping,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/message-cache';
import { readAcceptanceModel } from '../../learning/learned-acceptance.repository.ts';
import { findLastWholeScan } from '../last-whole-scan.repository.ts';
import {
  type GroupPart,
  listSuggestionGroupRows,
  type SuggestionGroupRow,
} from './suggestion-group.repository.ts';

/** Groups the emails with open suggestions of a whole mailbox by sender, or by classification. */
export const createListSuggestionGroups =
  ({ database, cipher }: { database: Database; cipher: TextCipher }) =>
  async (userId: string, query: ListSuggestionGroupsQuery): Promise<ListSuggestionGroupsResponse> => {
    const model = await readAcceptanceModel(database, userId);
    const [{ totals, rows }, scan] = await Promise.all([
      listSuggestionGroupRows(database, userId, query, model),
      findLastWholeScan(database, userId),
    ]);
    const { total, actions, sure, likely, check } = totals;
    return {
      total,
      page: query.page,
      perPage: query.perPage,
      data: rows.map((row) => toGroup(query.by, row, readSender(row))),
      emails: actions.reduce((sum, { emails }) => sum + emails, 0),
      actions: Object.fromEntries(actions.map(({ action, emails }) => [action, emails])),
      confidence: { sure, likely, check },
      complete: scan?.isTrusted ?? false,
      scannedAt: scan?.finishedAt.toISOString() ?? null,
    };

    /** Empty where the key of the text was deleted. */
    function readSender({ emailId, encryptedText }: SuggestionGroupRow): string {
      if (emailId === null || encryptedText === null) return '';
      return readMessageText(cipher, userId, emailId, encryptedText)?.from ?? '';
    }
  };

const toGroup = (by: SuggestionGrouping, row: SuggestionGroupRow, sender: string): SuggestionGroup => ({
  key: row.key,
  by,
  from: by === 'sender' ? sender : null,
  classification: by === 'classification' ? row.key : null,
  protected: row.isProtected,
  emails: row.emails,
  actions: countBy(row.parts, ({ action }) => action),
  classifications: countBy(row.parts, ({ classification }) => classification),
  labels: row.parts
    .filter(({ action }) => action === 'label')
    .toSorted(
      (one, other) => other.emails - one.emails || (one.classification < other.classification ? -1 : 1),
    )
    .map(({ classification }) => classification)
    .slice(0, MAX_GROUP_LABELS),
  leastConfidence: row.leastConfidence,
  mostConfidence: row.mostConfidence,
  leastAcceptance: row.leastAcceptance,
  mostAcceptance: row.mostAcceptance,
  sizeBytes: row.sizeBytes,
  newest: row.newest.toISOString(),
  newestFrom: sender,
});

const countBy = (parts: readonly GroupPart[], nameOf: (part: GroupPart) => string): Counts => {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(nameOf(part), (counts.get(nameOf(part)) ?? 0) + part.emails);
  return Object.fromEntries(counts);
};
