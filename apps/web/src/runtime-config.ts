/**
 * Where the API is, as the web server wrote it into the page; so one build serves every place, and the first request
 * need not wait for another.
 */
export const readApiOrigin = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="api-origin"]')?.content ?? window.location.origin;
