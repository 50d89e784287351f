import type { Suggestion } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { classifyEmail } from './classify-email.ts';
import { toLabelledEmails, type Wanted } from './testing/labelled-emails.ts';

const now = new Date('2026-06-02T12:00:00.000Z');

const toWanted = (best: Suggestion | undefined): Wanted => {
  if (best?.action === 'archive' || best?.action === 'delete') return 'clear';
  if (best?.action === 'notify') return 'notify';
  return best?.classification === 'receipt' ? 'receipt' : 'nothing';
};

const judged = toLabelledEmails(now).map(({ wanted, email }) => {
  const suggestions = classifyEmail(email, now);
  return { wanted, got: toWanted(suggestions[0]), suggestions, email };
});

const share = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

/** Precision: how much of what was suggested is wanted. Recall: how much of what is wanted was suggested. */
const report = (label: Wanted) => {
  const wanted = judged.filter((one) => one.wanted === label);
  const got = judged.filter((one) => one.got === label);
  const right = got.filter((one) => one.wanted === label).length;
  return { emails: wanted.length, precision: share(right, got.length), recall: share(right, wanted.length) };
};

describe('the hand-labelled emails in several languages', () => {
  it('are classified this well', () => {
    expect({
      clear: report('clear'),
      receipt: report('receipt'),
      notify: report('notify'),
      nothing: report('nothing'),
    }).toMatchInlineSnapshot(`
      {
        "clear": {
          "emails": 27,
          "precision": "100 %",
          "recall": "96 %",
        },
        "nothing": {
          "emails": 36,
          "precision": "95 %",
          "recall": "100 %",
        },
        "notify": {
          "emails": 11,
          "precision": "100 %",
          "recall": "100 %",
        },
        "receipt": {
          "emails": 13,
          "precision": "100 %",
          "recall": "92 %",
        },
      }
    `);
  });

  it('lose nothing that is to be kept', () => {
    const cleared = judged.filter(
      ({ wanted, suggestions }) =>
        wanted !== 'clear' && suggestions.some(({ action }) => action === 'archive' || action === 'delete'),
    );
    expect(cleared.map(({ email }) => email.subject)).toEqual([]);
  });

  it('are suggested for deletion only where they are to be cleared', () => {
    const deleted = judged.filter(({ suggestions }) => suggestions.some(({ action }) => action === 'delete'));
    expect(deleted.length).toBeGreaterThan(0);
    expect(new Set(deleted.map(({ wanted }) => wanted))).toEqual(new Set(['clear']));
  });
});
