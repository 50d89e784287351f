/**
 * The policy of every page (W3C CSP Level 3). Scripts come from our own files alone. The component library
 * writes `style` elements, which carry the nonce, and `style` attributes (positions of menus, sizes of
 * virtual rows), which only `style-src-attr` can allow; attributes cannot load anything under this policy.
 *
 * @param input.apiOrigin - the one other origin that the page may talk to
 * @param input.nonce - fresh for each response
 */
export const toContentSecurityPolicy = (input: { apiOrigin: string; nonce: string }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${input.nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `connect-src 'self' ${input.apiOrigin}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
