import type { LabelledEmail } from '@mailsweep/ml-evaluation';
import { type Feature, type Group, ROWS, toEmailFeatures } from '../classifier/features.ts';
import { CLASSES, type Class, type Model } from '../classifier/model.ts';
import { findTopics } from '../classifier/topics.ts';

const MS_PER_DAY = 86_400_000;

/** Rows of features with how much each counts: training goes over them often. */
interface Rows {
  rows: Int32Array;
  values: Float64Array;
  /** The share of steps that leave them out. */
  dropout: number;
}

export interface Example {
  /** What the email may be by its label: of one that is left alone, several. */
  isPossible: boolean[];
  features: Rows[];
}

/** Topics were chosen with these very emails, and names of firms are theirs: without them, the other words count. */
const DROPOUT: Record<Group, number> = { words: 0, topics: 0.2, firm: 0.2 };

const toRows = (features: Feature[]): Rows[] =>
  Object.entries(DROPOUT).map(([group, dropout]) => {
    const members = features.filter((feature) => feature.group === group);
    return {
      rows: Int32Array.from(members.flatMap(({ rows }) => rows)),
      values: Float64Array.from(members.flatMap(({ rows, value }) => rows.map(() => value))),
      dropout,
    };
  });

const BULK_KINDS = new Set(['offer', 'news']);
const NOTICE_KINDS = new Set(
  'social forum list job product survey event outreach charity delivery code calendar'.split(' '),
);
/** Kinds that are never a call for action. */
const NEVER_URGENT_KINDS = new Set(['personal', 'work', 'terms', 'phishing']);

const listPossible = ({ actions: [action], kind = '', email }: LabelledEmail, ageDays: number): Class[] => {
  switch (action) {
    case 'archive':
    case 'delete':
      if (kind === '') return ['bulk', 'notice'];
      return BULK_KINDS.has(kind) ? ['bulk'] : ['notice'];
    case 'label':
      return email.attachmentSizeMb < 10 ? ['receipt'] : ['keep'];
    case 'notify':
      return ['alert'];
    default:
      if (ageDays < 3 && BULK_KINDS.has(kind)) return ['bulk'];
      if (ageDays < 14 && NOTICE_KINDS.has(kind)) return ['notice', 'keep'];
      // Later, or once it was read, a call for action is left alone.
      return (email.isRead || ageDays > 7) && !NEVER_URGENT_KINDS.has(kind) ? ['keep', 'alert'] : ['keep'];
  }
};

export const toExample = (labelled: LabelledEmail, now: Date): Example => {
  const ageDays = (now.getTime() - Date.parse(labelled.email.date)) / MS_PER_DAY;
  const possible = listPossible(labelled, ageDays);
  const topics = findTopics(labelled.email.subject);
  return {
    isPossible: CLASSES.map((one) => possible.includes(one)),
    features: toRows(toEmailFeatures(labelled.email, topics)),
  };
};

/** Park and Miller's generator: the same numbers each time. */
const createRandom = (): (() => number) => {
  let state = 20_261_128;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const shuffle = (order: number[], random: () => number): void => {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
};

const EPOCHS = 12;
const RATE = 0.1;
const BIAS_RATE = 0.01;
const DECAY = 2e-5;
/** Starts the sums of squares, so that first steps are not too long. */
const FIRST_SQUARES = 0.02;

/** Finds weights under which the labels are likely (Adagrad). The same examples have the same weights. */
export const fit = (examples: readonly Example[]): Omit<Model, 'calibration'> => {
  const width = CLASSES.length;
  const rows = new Float32Array(ROWS * width);
  const squares = new Float32Array(ROWS * width).fill(FIRST_SQUARES);
  const bias = CLASSES.map(() => 0);
  const random = createRandom();
  const order = examples.map((_, index) => index);
  const learn = ({ isPossible, features }: Example): void => {
    const shown = features.filter(({ dropout }) => random() >= dropout);
    const sums = Float64Array.from(bias);
    for (const { rows: own, values } of shown)
      for (let index = 0; index < own.length; index++) {
        const [start, value] = [(own[index] ?? 0) * width, values[index] ?? 0];
        for (let column = 0; column < width; column++)
          sums[column] = (sums[column] ?? 0) + (rows[start + column] ?? 0) * value;
      }
    const powers = sums.map(Math.exp);
    const total = powers.reduce((a, b) => a + b, 0);
    const possible = powers.reduce((sum, power, column) => sum + (isPossible[column] ? power : 0), 0);
    const slopes = powers.map((power, column) => power / total - (isPossible[column] ? power / possible : 0));
    slopes.forEach((slope, column) => {
      bias[column] = (bias[column] ?? 0) - BIAS_RATE * slope;
    });
    for (const { rows: own, values } of shown)
      for (let index = 0; index < own.length; index++) {
        const [start, value] = [(own[index] ?? 0) * width, values[index] ?? 0];
        for (let column = 0; column < width; column++) {
          const at = start + column;
          const step = (slopes[column] ?? 0) * value + DECAY * (rows[at] ?? 0);
          const sum = (squares[at] ?? 0) + step * step;
          squares[at] = sum;
          rows[at] = (rows[at] ?? 0) - (RATE * step) / Math.sqrt(sum);
        }
      }
  };
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    for (const index of order) learn(examples[index] as Example);
  }
  return { rows, bias, scale: 1 };
};
