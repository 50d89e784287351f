import { type LabelledEmail, NONE } from '../labelled-email.ts';
import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { HELD_OUT } from './held-out.ts';
import { ITALIAN } from './italian.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';
import { type CorpusWanted, toCorpus } from './to-corpus.ts';
import { UNUSUAL } from './unusual.ts';

const PARTS = { ENGLISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH, UNUSUAL, HELD_OUT };

const ACTIONS: Record<CorpusWanted, LabelledEmail['actions']> = {
  nothing: [NONE],
  clear: ['archive', 'delete'],
  receipt: ['label'],
  large: ['label'],
  notify: ['notify'],
};

/**
 * The emails that were labelled by hand for the reference service (docs/CLASSIFIER.md), with dates as many days before
 * `now` as they were old then.
 */
export const readLabelledSet = (now: Date): LabelledEmail[] =>
  Object.entries(PARTS).flatMap(([name, text]) =>
    toCorpus(text, now).map(({ wanted, kind, email }) => ({
      email: { ...email, id: `${name.toLowerCase()}-${email.id}` },
      actions: ACTIONS[wanted],
      kind,
    })),
  );
