// How the product words its calls of the Gmail API, for programs that look at Gmail's own responses to them.
export { decodeBatch, encodeBatch } from './gmail-batch.ts';
export { GMAIL_BASE_URL } from './gmail-endpoint.ts';
export { MESSAGE_FIELDS } from './gmail-schemas.ts';
