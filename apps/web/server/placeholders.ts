/** Marks the place in the built `index.html` where each response gets its own nonce. */
export const CSP_NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** Marks the place in the built `index.html` where the page tells its code where the API is. */
export const API_ORIGIN_PLACEHOLDER = '__API_ORIGIN__';
