export { findAccessError } from './find-access-error.ts';
export * from './gmail-requests.ts';
export { GmailRefusal } from './http/gmail-errors.ts';
export { createGmailHttp, type GmailHttp, type GmailSession } from './http/gmail-http.ts';
export { toMessageFacts } from './message/to-message-facts.ts';
