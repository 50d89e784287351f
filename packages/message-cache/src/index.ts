export { forgetUnreadMessages } from './forget-messages.repository.ts';
export { groupByMessage, type LabelRecord, toLater } from './label-record.ts';
export { createMessageStores, type OpenMessageStore } from './message-cache.repository.ts';
export type * from './message-store.ts';
export { readMessageText, type TextCipher } from './message-text.ts';
export { reencryptMessages } from './reencrypt-messages.repository.ts';
export { applyRecords, replayRecords } from './replay-records.ts';
export { toSenderAddress, toSenderKey } from './sender-address.ts';
export { saveSenderNames } from './sender-names.repository.ts';
