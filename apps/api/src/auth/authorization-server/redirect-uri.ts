const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);
const MAX_LENGTH = 2_048;

/** Whether a redirect URI leads to a program on the user's own computer (RFC 8252, section 7.3). */
export const isLoopback = (redirectUri: string): boolean => {
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname);
};

/** Whether browsers may be sent there: by https, or to the user's own computer. Other schemes may run scripts. */
export const isRedirectUri = (text: string): boolean => {
  if (text.length > MAX_LENGTH || !/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    return false;
  const { protocol, username, password } = new URL(text);
  if (username !== '' || password !== '' || text.includes('#')) return false;
  return protocol === 'https:' || isLoopback(text);
};

const withoutPort = (uri: string): string => {
  const url = new URL(uri);
  url.port = '';
  return url.href;
};

/** Whether one of the registered URIs is the given one; a program on the user's computer chooses its port as it starts. */
export const isRegistered = (registered: readonly string[], given: string): boolean =>
  registered.includes(given) ||
  (isLoopback(given) && registered.some((uri) => isLoopback(uri) && withoutPort(uri) === withoutPort(given)));

/** The redirect URI with the parameters of a response. */
export const toResponseUrl = (redirectUri: string, parameters: Record<string, string>): string => {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url.href;
};
