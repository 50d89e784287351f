declare global {
  /** Read by the scroll lock of dialogs when it writes its style element. */
  var __webpack_nonce__: string | undefined;
}

/**
 * The nonce that the server put into the page for style elements (W3C CSP Level 3); empty in development, where
 * there is no policy.
 */
export const readStyleNonce = (): string => {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
};
