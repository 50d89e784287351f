/** The text above the operations, in Markdown. */
export const INTRODUCTION = `Mailsweep cleans mailboxes, at Gmail and at JMAP servers, with suggestions that the user confirms.

**Authentication.** [Sign in](auth/idp) with this browser, return to this page, and every operation below works with the cookie \`session_token\`. Programs send a personal access token as \`Authorization: Bearer <token>\`: make one in the settings of the web app, with the scope \`read\`, \`act\` or \`admin\` that operations name, and paste it under *Authorize* to try it here. The session token is taken there, too. Where the header is sent, the cookie does not count. Requests of browsers must come from the front end’s origin, or from this page.

**Requests.** Bodies are JSON (\`content-type: application/json\`) of at most 256 kB. Booleans in a query are \`true\` or \`false\`. Unknown parameters and fields are refused, so that a misspelt filter never widens a list.

**Errors** are problem documents (RFC 9457); [every code](docs/problems) has an entry. Branch on \`code\`, show \`detail\`, and report \`requestId\`. Operations on many emails return 200 with an outcome for each.

**Limits.** A user may send 600 requests per minute and have 10 in flight (both configurable); the personal access tokens of a user have the same limits for themselves. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` show what is left; 429 and 503 carry \`Retry-After\`.

**Retries.** GET requests can be repeated. Give each POST that changes something an \`Idempotency-Key\`, and send the same key when you repeat it: it is carried out once.`;
