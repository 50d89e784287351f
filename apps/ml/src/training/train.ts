import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { deflateSync } from 'node:zlib';
import { type LabelledEmail, parseLabelledEmails } from '@mailsweep/ml-evaluation';
import { readLabelledSet } from '@mailsweep/ml-evaluation/labelled-set';
import { type Judgement, judge, LEAST } from '../classifier/classify-email.ts';
import type { Calibration, Model } from '../classifier/model.ts';
import { parseSender } from '../classifier/sender.ts';
import { fit, toExample } from './fit.ts';

/** How much a slope of 1 is believed before anything is seen: few emails are calls for action. */
const PRIOR = 10;
/** Begins the ids of emails that were written to look like another kind. Mailboxes have few: they do not calibrate. */
const LOOKALIKES = 'lookalikes';
/** Parts of the emails for calibration. */
const FOLDS = 5;
/** Highest weight, in units of `scale`: more would be finer, and would not fit into a megabyte. */
const HIGHEST = 72;

interface Judged {
  labelled: LabelledEmail;
  judgement: Judgement;
}

const ACTIONS = { clear: ['archive', 'delete'], receipt: ['label'], notify: ['notify'] };

/** Platt's method: the logit of how often a probability is right, as a line over its own logit (Newton's steps). */
const calibrate = (judged: readonly Judged[], action: keyof Judgement): Calibration => {
  const points = judged
    .filter(({ judgement }) => judgement[action] >= LEAST)
    .map(({ labelled, judgement }) => {
      const p = Math.min(1 - 1e-6, judgement[action]);
      return {
        logit: Math.log(p / (1 - p)),
        isRight: ACTIONS[action].some((right) => labelled.actions.includes(right)),
      };
    });
  let [slope, intercept] = [1, 0];
  for (let step = 0; step < 50; step++) {
    let [g0, g1, h00, h01, h11] = [PRIOR * (slope - 1), 0, PRIOR, 0, 1e-6];
    for (const { logit, isRight } of points) {
      const p = 1 / (1 + Math.exp(-slope * logit - intercept));
      const [error, weight] = [p - Number(isRight), p * (1 - p)];
      g0 += error * logit;
      g1 += error;
      h00 += weight * logit * logit;
      h01 += weight * logit;
      h11 += weight;
    }
    const determinant = h00 * h11 - h01 * h01;
    slope -= (h11 * g0 - h01 * g1) / determinant;
    intercept -= (h00 * g1 - h01 * g0) / determinant;
  }
  return [Math.round(slope * 1000) / 1000, Math.round(intercept * 1000) / 1000];
};

/** A fold of each email: that of its sender's domain, or of its address at a public provider. */
const toFolds = (emails: readonly LabelledEmail[]): number[] => {
  const folds = new Map<string, number>();
  return emails.map(({ email: { from } }) => {
    const { isCommon, domain } = parseSender(from);
    const key = isCommon ? from : domain;
    const fold = folds.get(key) ?? folds.size % FOLDS;
    folds.set(key, fold);
    return fold;
  });
};

/**
 * Trains a model. The same emails make the same one. Models that never saw the senders of a fifth of the emails say how
 * often one is right.
 */
export const train = (emails: readonly LabelledEmail[], now: Date): Model => {
  const examples = emails.map((labelled) => toExample(labelled, now));
  const folds = toFolds(emails);
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const model = fit(examples.filter((__, index) => folds[index] !== fold));
    return emails
      .filter(({ email }, index) => folds[index] === fold && !email.id.startsWith(LOOKALIKES))
      .map((labelled): Judged => ({ labelled, ...judge(labelled.email, now, model) }));
  }).flat();
  const { rows, bias } = fit(examples);
  const scale = Array.from(rows).reduce((high, weight) => Math.max(high, Math.abs(weight)), 0) / HIGHEST;
  return {
    rows: Int8Array.from(rows, (weight) => Math.round(weight / scale)),
    bias: bias.map((one) => Math.round(one * 1000) / 1000),
    scale,
    calibration: {
      clear: calibrate(judged, 'clear'),
      receipt: calibrate(judged, 'receipt'),
      notify: calibrate(judged, 'notify'),
    },
  };
};

if (import.meta.main) {
  const { values } = parseArgs({ options: { with: { type: 'string' } } });
  const now = new Date();
  const own = readLabelledSet(now, 'training');
  const added = values.with === undefined ? [] : parseLabelledEmails(readFileSync(values.with, 'utf8'));
  const { rows, ...model } = train([...own, ...added], now);
  const card = {
    data: `${own.length} emails of packages/ml-evaluation/src/labelled-set, and ${added.length} decisions of users`,
    split: `by the domain of the sender: ${readLabelledSet(now, 'held out').length} held out`,
    figures: 'docs/CLASSIFIER.md',
    limits: 'written by language models, not sampled from mailboxes',
    date: now.toISOString().slice(0, 10),
  };
  const bytes = deflateSync(Int8Array.from(rows), { level: 9 }).toString('base64');
  const text = JSON.stringify({ version: 1, card, ...model, rows: bytes }, undefined, 2)
    // As the formatter has it.
    .replaceAll(/\[[^[\]]*\]/g, (list) => `[${(JSON.parse(list) as number[]).join(', ')}]`);
  writeFileSync(new URL('../classifier/weights.json', import.meta.url), `${text}\n`);
}
