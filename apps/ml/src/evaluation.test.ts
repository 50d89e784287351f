import { readFileSync } from 'node:fs';
import { evaluate } from '@mailsweep/ml-evaluation';
import { readLabelledSet } from '@mailsweep/ml-evaluation/labelled-set';
import { describe, expect, it } from 'vitest';
import { classifyEmail } from './classifier/classify-email.ts';

const now = new Date('2026-06-02T12:00:00.000Z');
const heldOut = readLabelledSet(now, 'held out');
const suggestions = new Map(heldOut.map(({ email }) => [email.id, classifyEmail(email, now)]));
const toName = (action: string) => (action === 'archive' || action === 'delete' ? 'clear' : action);
const judged = evaluate(heldOut, suggestions).judged.map((one, index) => ({
  ...one,
  language: heldOut[index]?.language ?? 'mul',
  got: toName(one.predicted),
  wanted: toName(one.actual),
}));
type Judged = typeof judged;

const ACTIONS = ['clear', 'label', 'notify'];
/** Fewer emails have figures that say little. */
const LEAST = 10;
const PROTECTED = [
  ...[
    'personal',
    'work',
    'contract',
    'security',
    'account',
    'terms',
    'renewal',
    'payment',
    'bank',
    'insurance',
  ],
  ...['tax', 'health', 'school', 'government', 'travel', 'delivery', 'receipt', 'invoice', 'calendar'],
];

const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;
const rightOf = (emails: Judged): number =>
  percent(emails.filter(({ isRight }) => isRight).length, emails.length);

const score = (name: string, emails: Judged, action: string) => {
  const wanted = emails.filter((one) => one.wanted === action);
  const got = emails.filter((one) => one.got === action);
  const found = percent(got.filter(({ isRight }) => isRight).length, wanted.length);
  return { name, figures: [wanted.length, rightOf(got), found] };
};

/** What has a confidence of about 0.9. */
const sure = judged.filter(
  ({ best }) => best && best.confidence_score >= 0.85 && best.confidence_score < 0.95,
);
const byLanguage = [...Map.groupBy(judged, ({ language }) => language)];
const byKind = [...Map.groupBy(judged, ({ kind }) => kind)];
const ROWS = [
  ...ACTIONS.map((action) => score(action, judged, action)),
  ...ACTIONS.flatMap((action) =>
    byLanguage.map(([language, emails]) => score(`${action}:${language}`, emails, action)),
  ),
  ...byKind.map(([kind, emails]) => {
    const wanted = emails.filter((one) => one.wanted === 'clear');
    return { name: `found:${kind}`, figures: [wanted.length, rightOf(wanted)] };
  }),
  ...ACTIONS.map((action) => {
    const emails = sure.filter(({ got }) => got === action);
    return { name: `sure:${action}`, figures: [emails.length, rightOf(emails)] };
  }),
]
  .filter(({ figures: [count = 0] }) => count >= LEAST)
  .concat(
    PROTECTED.map((kind) => {
      const kept = judged.filter((one) => one.kind === kind && one.wanted !== 'clear');
      const left = kept.filter(({ got }) => got !== 'clear').length;
      return { name: `kept:${kind}`, figures: [kept.length, percent(left, kept.length)] };
    }),
  );

const published = new Map(
  readFileSync(new URL('../../../docs/CLASSIFIER.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => {
      const [name = '', ...figures] = line.slice(1, -1).split('|');
      return [name.trim(), figures.map(Number)];
    }),
);

describe('on emails of senders that it was not trained with', () => {
  it.each(ROWS)('is as right as docs/CLASSIFIER.md says, to a point: $name $figures', ({ name, figures }) => {
    const [count, ...shares] = published.get(name) ?? [];
    expect(count).toBe(figures[0]);
    for (const [index, share] of shares.entries())
      expect(figures[index + 1]).toBeGreaterThanOrEqual(share - 1);
  });

  it('is as sure as it is right, of what it is most sure of', () => {
    expect(sure.length).toBeGreaterThan(50);
    expect(rightOf(sure)).toBeGreaterThanOrEqual(85);
    expect(rightOf(sure)).toBeLessThanOrEqual(95);
  });
});
