export { type FactsRow, readFactColumns } from './fact-columns.ts';
export { forgetUnreadMessages } from './forget-messages.repository.ts';
export { groupByMessage, type LabelRecord, toLater } from './label-record.ts';
export {
  createMessageStores,
  FACTS,
  type MessageToCache,
  type OpenMessageStore,
} from './message-cache.repository.ts';
export type * from './message-store.ts';
export { type ReencryptCounts, readMessageText, type TextCipher } from './message-text.ts';
export {
  type EncryptedColumns,
  type OutdatedText,
  reencryptColumns,
} from './reencrypt-columns.repository.ts';
export { reencryptMessages } from './reencrypt-messages.repository.ts';
export { applyRecords, replayRecords } from './replay-records.ts';
export { isGroupKey, LISTED, toPlainName, toSenderAddress, toSenderKey } from './sender-address.ts';
export { saveSenderNames } from './sender-names.repository.ts';
export { readSender, renewSender, writeSender } from './sender-text.ts';
export { createStateStores } from './state-cache.repository.ts';
export type { OpenStateStore, StateStore } from './state-store.ts';
