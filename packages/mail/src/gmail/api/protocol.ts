// How the product words its calls of the Gmail API, for programs that look at Gmail's own responses to them.

export { GMAIL_BASE_URL, GoogleErrorSchema, toHeaders, toRoot, toTarget } from './gmail-requests.ts';
export { decodeBatch, encodeBatch } from './http/gmail-batch.ts';
export { toResponseError } from './http/gmail-errors.ts';
export { exchangeWithGmail } from './http/gmail-exchange.ts';
export { BATCH_PATH } from './http/gmail-http.ts';
