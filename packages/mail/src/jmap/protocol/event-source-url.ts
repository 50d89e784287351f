/** What is listened to: all changes of emails, and at servers that have it, the pseudo-type of new ones (RFC 8621, 1.5). */
const TYPES = 'Email,EmailDelivery';
/** How often a server is to show that the connection is alive, in seconds. */
const PING_S = 60;
/** A connection that is silent for so long is given up, in milliseconds: after two pings that did not come. */
export const SILENCE_MS = 2.5 * PING_S * 1_000;

/**
 * The address of an account's event source.
 *
 * @param template - the server's URI template (RFC 8620, 2), which may be relative; none where it is empty
 * @param base - the address of the session
 */
export const toEventSourceUrl = (template: string, base: URL): URL | undefined => {
  if (template === '') return undefined;
  const filled = template
    .replace('{types}', encodeURIComponent(TYPES))
    .replace('{closeafter}', 'no')
    .replace('{ping}', String(PING_S));
  return URL.canParse(filled, base) ? new URL(filled, base) : undefined;
};
