import { createRequire } from 'node:module';
import { type FoundExpression, findExpressions } from './find-expressions.ts';

/** Recheck's JavaScript engine; the package's main module would look for a Java or a native one. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

/** Recheck's own time limits would make the result depend on the machine's load. All in milliseconds. */
const TIME_LIMITS = { timeout: 60_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** An expression that may take more than linear time on some input, or that cannot be checked. */
export interface SlowExpression extends FoundExpression {
  reason: string;
}

const explain = (source: string, flags: string): string | undefined => {
  const result = checkSync(source, flags, TIME_LIMITS);
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `cannot be checked (${result.error.kind})`;
  const { complexity, attack } = result;
  const input = attack.pumps.map(({ pump }) => JSON.stringify(pump)).join(' and ');
  return `${complexity.summary} time on repetitions of ${input}`;
};

/**
 * Builds the check for regular expressions that hostile input can slow down: those that backtrack, and those that scan
 * the rest of a long run from each of its positions, as `\s+$` does on spaces. Equal expressions are analysed once.
 *
 * @returns a function that throws Error if it cannot parse the source
 */
export const createSlowExpressionCheck = () => {
  const reasons = new Map<string, string | undefined>();

  const findReason = ({ literal }: FoundExpression): string | undefined => {
    if (literal === undefined) return 'built at run time, so it cannot be checked';
    const key = `/${literal.source}/${literal.flags}`;
    if (!reasons.has(key)) reasons.set(key, explain(literal.source, literal.flags));
    return reasons.get(key);
  };

  return (file: string, source: string): SlowExpression[] =>
    findExpressions(file, source).flatMap((expression) => {
      const reason = findReason(expression);
      return reason === undefined ? [] : [{ ...expression, reason }];
    });
};
