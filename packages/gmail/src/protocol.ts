// How the product words its calls of the Gmail API, for programs that look at Gmail's own responses to them.

export { GMAIL_BASE_URL } from './gmail-requests.ts';
export { MESSAGE_FIELDS } from './gmail-schemas.ts';
export { decodeBatch, encodeBatch } from './http/gmail-batch.ts';
