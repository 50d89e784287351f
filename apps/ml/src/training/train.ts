import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type LabelledEmail, parseLabelledEmails } from '@mailsweep/ml-evaluation';
import { readLabelledSet } from '@mailsweep/ml-evaluation/labelled-set';
import { type Judgement, judge, LEAST } from '../classifier/classify-email.ts';
import { toEmailFeatures } from '../classifier/features.ts';
import { type Calibration, type Model, predict } from '../classifier/model.ts';
import { findTopics } from '../classifier/topics.ts';
import { fit, toExample } from './fit.ts';

/** How much a slope of 1 is believed before anything is seen: few emails are calls for action. */
const PRIOR = 10;
/** Highest weight of a byte. */
const HIGHEST = 127;

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

/**
 * Trains a model. The same emails make the same one.
 *
 * @param validation - from other senders; says how often the model is right
 */
export const train = (
  { training, validation }: Record<'training' | 'validation', readonly LabelledEmail[]>,
  now: Date,
): Model => {
  const { rows, bias } = fit(training.map((labelled) => toExample(labelled, now)));
  const scale = Array.from(rows).reduce((high, weight) => Math.max(high, Math.abs(weight)), 0) / HIGHEST;
  const model = {
    rows: Int8Array.from(Array.from(rows), (weight) => Math.round(weight / scale)),
    bias: bias.map((one) => Math.round(one * 1000) / 1000),
    scale,
  };
  const judged = validation.map((labelled): Judged => {
    const { email } = labelled;
    const topics = findTopics(email.subject);
    const probabilities = predict(toEmailFeatures(email, topics), model);
    return { labelled, judgement: judge(email, now, { topics, probabilities }) };
  });
  const [clear, receipt, notify] = (['clear', 'receipt', 'notify'] as const).map((action) =>
    calibrate(judged, action),
  ) as [Calibration, Calibration, Calibration];
  return { ...model, calibration: { clear, receipt, notify } };
};

if (import.meta.main) {
  const { values } = parseArgs({ options: { with: { type: 'string' } } });
  const now = new Date();
  const own = readLabelledSet(now, 'training');
  const added = values.with === undefined ? [] : parseLabelledEmails(readFileSync(values.with, 'utf8'));
  const validation = readLabelledSet(now, 'validation');
  const { rows, ...model } = train({ training: [...own, ...added], validation }, now);
  const card = {
    data: `${own.length} emails of packages/ml-evaluation/src/labelled-set, and ${added.length} decisions of users`,
    split: `by the domain of the sender: ${validation.length} for calibration, ${readLabelledSet(now, 'held out').length} held out`,
    figures: 'docs/CLASSIFIER.md',
    limits: 'written by language models, not sampled from mailboxes',
    date: now.toISOString().slice(0, 10),
  };
  const bytes = Buffer.from(Int8Array.from(rows).buffer).toString('base64');
  const text = JSON.stringify({ version: 1, card, ...model, rows: bytes }, undefined, 2)
    // As the formatter has it.
    .replaceAll(/\[[^[\]]*\]/g, (list) => `[${(JSON.parse(list) as number[]).join(', ')}]`);
  writeFileSync(new URL('../classifier/weights.json', import.meta.url), `${text}\n`);
}
