export interface SandboxResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Outcome of a request: a response, no response, or a cut connection. */
export type Outcome = SandboxResponse | 'hang' | 'reset';

export interface Incoming {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export const jsonResponse = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(value),
});

export const redirectTo = (location: string): SandboxResponse => ({
  status: 302,
  headers: { location },
  body: '',
});

export const isSuccess = (response: SandboxResponse): boolean =>
  response.status >= 200 && response.status < 300;
