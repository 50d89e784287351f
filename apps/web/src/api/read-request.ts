/** How the app asks for something: with the session cookie, for JSON. */
export const READ_REQUEST = {
  credentials: 'include',
  headers: { accept: 'application/json, application/problem+json' },
} as const satisfies RequestInit;
