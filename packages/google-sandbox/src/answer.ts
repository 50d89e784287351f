/** An HTTP answer, whole. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What becomes of a request: an answer, silence, or a cut connection. */
export type Outcome = Answer | 'hang' | 'reset';

/** An HTTP request, whole. */
export interface Incoming {
  method: string;
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** An answer with a JSON body. */
export const jsonAnswer = (status: number, value: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(value),
});

export const isSuccess = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;
