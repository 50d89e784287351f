import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import pg from 'pg';

/** What a statement does: the first of its words that says so. */
const OPERATION = /\b(?:SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK)\b/;
/** The first table; names of tables and schemas are quoted throughout. */
const TABLE = /(?:FROM|INTO|UPDATE|JOIN)\s+(?:"public"\.)?"(\w+)"/;
/**
 * From how long on a statement shows as a span, in milliseconds. Most take less than one; with a span of each, tracing
 * makes short requests 5 to 8 % slower.
 */
const SLOW_MS = 10;

/** `SELECT User`: what spans say of a statement. They hold neither its text nor its values. */
const summarize = (text: string): string => {
  const words = [OPERATION.exec(text)?.[0] ?? 'postgresql', TABLE.exec(text)?.[1]];
  return words.filter((word) => word !== undefined).join(' ');
};

/** What the statements of a span have taken so far. */
const totals = new WeakMap<Span, { statements: number; ms: number }>();

const addToTotals = (span: Span, ms: number): void => {
  if (!span.isRecording()) return;
  const total = totals.get(span) ?? { statements: 0, ms: 0 };
  total.statements += 1;
  total.ms += ms;
  totals.set(span, total);
  span.setAttribute('mailsweep.db.statements', total.statements);
  span.setAttribute('mailsweep.db.duration_ms', Math.round(total.ms));
};

/**
 * Shows statements in the trace of the request or work that they belong to: their number and duration at its span, and
 * those that are slow or fail as spans of their own. Without a trace it is a client like any.
 */
export class TracedClient extends pg.Client {
  // The driver takes a text or an object, with or without values and a callback.
  override query(...parameters: unknown[]): never {
    const run = (): unknown => Reflect.apply(super.query, this, parameters);
    const parent = context.active();
    const active = trace.getSpan(parent);
    if (active?.isRecording() !== true) return run() as never;
    const startTime = performance.now();
    const end = (error?: unknown) => {
      const endTime = performance.now();
      addToTotals(active, endTime - startTime);
      if (!error && endTime - startTime < SLOW_MS) return;
      const [query] = parameters;
      const text = typeof query === 'string' ? query : (query as { text?: string }).text;
      const summary = summarize(text ?? '');
      const span = trace.getTracer('mailsweep').startSpan(
        summary,
        {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
          startTime,
        },
        parent,
      );
      if (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '_OTHER';
        span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(endTime);
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
