const PREFIX = /^whsec_/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Sizes that Standard Webhooks allows a secret, in bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** Whether a text is a symmetric signing secret as Standard Webhooks writes it: base64, with or without `whsec_`. */
export const isSigningSecret = (text: string): boolean => {
  const encoded = text.replace(PREFIX, '');
  const size = Buffer.from(encoded, 'base64').length;
  return BASE64.test(encoded) && encoded.length % 4 === 0 && size >= MIN_BYTES && size <= MAX_BYTES;
};
