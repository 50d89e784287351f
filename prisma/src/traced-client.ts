import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import pg from 'pg';

/** What a statement does: the first of its words that says so. */
const OPERATION = /\b(?:SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK)\b/;
/** The first table; names of tables and schemas are quoted throughout. */
const TABLE = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:"public"\.)?"(\w+)"/;
/** Every request looks its session up, in well under a millisecond: spans of that cost more than they tell. */
const UNTRACED = 'SELECT Session';
/** Summaries are made once for each text; more texts than this come from nowhere. */
const MOST_SUMMARIES = 1_000;

const summaries = new Map<string, string>();

/** `SELECT User`: what spans say of a statement. They hold neither its text nor its values. */
const summarize = (text: string): string => {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const words = [OPERATION.exec(text)?.[0] ?? 'postgresql', TABLE.exec(text)?.[1]];
  const summary = words.filter((word) => word !== undefined).join(' ');
  if (summaries.size < MOST_SUMMARIES) summaries.set(text, summary);
  return summary;
};

/** Shows each statement as a span of the request or work that it belongs to; without a trace it is a client like any. */
export class TracedClient extends pg.Client {
  // The driver takes a text or an object, with or without values and a callback.
  override query(...parameters: unknown[]): never {
    const run = (): unknown => Reflect.apply(super.query, this, parameters);
    if (trace.getActiveSpan()?.isRecording() !== true) return run() as never;
    const [query] = parameters;
    const text = typeof query === 'string' ? query : (query as { text?: string }).text;
    const summary = summarize(text ?? '');
    if (summary === UNTRACED) return run() as never;
    const span = trace.getTracer('mailsweep').startSpan(summary, {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
    });
    const end = (error?: unknown) => {
      if (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '_OTHER';
        span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    };
    const callback = parameters.at(-1);
    if (typeof callback === 'function') {
      parameters[parameters.length - 1] = (error: unknown, ...results: unknown[]) => {
        end(error);
        callback(error, ...results);
      };
      return run() as never;
    }
    const result = run() as Promise<unknown>;
    result.then(() => end(), end);
    return result as never;
  }
}
