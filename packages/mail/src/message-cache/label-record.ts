/** One change of one message, as the history of a mailbox has it. */
export interface LabelRecord {
  messageId: string;
  historyId: bigint;
  added: string[];
  removed: string[];
  /** Deleted for good: there is no such message any more. */
  isDeleted: boolean;
}

export const toLater = (one: bigint | null | undefined, other: bigint): bigint =>
  one != null && one > other ? one : other;

/** Records by the message that they speak of, in their order. */
export const groupByMessage = (records: readonly LabelRecord[]): Map<string, LabelRecord[]> =>
  Map.groupBy(records, (record) => record.messageId);
