/** The id of the session behind a token, which is not checked. */
export const sessionIdOf = ({ token }: { token: string }): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid;
