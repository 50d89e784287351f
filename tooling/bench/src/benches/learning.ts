import { type LearningReport, simulateUsers, USER_KINDS, type UserKind } from '@mailsweep/core/testing';
import { atMost, atMostTimes, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';
import { acceptAllAndUndo, insertDecisions, insertMailbox, USER } from './suggestion-groups.ts';

/** As the tests of the learning, which hold fewer of these users to limits. The formula was not chosen by this seed. */
const POPULATION = { seed: 11, users: 1_000, decisions: 300, senders: 50 };
/** A longer time with one change of mind in it. */
const LONG = { ...POPULATION, users: 200, decisions: 1_500 };
const SURE_PERCENT = 95;
const QUEUE = { emails: 1_000, senders: 50, decisions: 200 };

const toShare = ({ called, accepted }: { called: number; accepted: number }): number =>
  (100 * accepted) / called;

/** Suggestions that were called sure: their share of all, and how many of them were accepted. */
const measureSure = (name: string, { decisions, sure, sureByConfidence }: LearningReport): Result => {
  const toPercent = (called: number) => `${Math.round((100 * called) / decisions)} %`;
  const accepted = toShare(sure);
  return {
    name: `${name}: accepted of ${toPercent(sure.called)} called sure, ± ${(100 * sure.margin).toFixed(1)} (floor: of ${toPercent(sureByConfidence.called)})`,
    unit: '%',
    ours: accepted,
    floor: toShare(sureByConfidence),
    ratio: accepted / toShare(sureByConfidence),
    target: `≥ ${SURE_PERCENT} %`,
    isMet: accepted >= SURE_PERCENT,
  };
};

const measureKind = (kind: UserKind): Result[] => {
  const report = simulateUsers({ ...POPULATION, kind });
  const { decisionsToLearn, decisionsToUnlearn, decisionsToFirstSure } = report;
  return [
    atMostTimes(1, {
      name: `${kind}: calibration error`,
      unit: '%',
      ours: 100 * report.calibrationError,
      floor: 100 * report.calibrationErrorOfConfidence,
    }),
    measureSure(kind, report),
    atMost(50, {
      name: `${kind}: until a user's first sure suggestion, median`,
      unit: 'decisions',
      ours: decisionsToFirstSure.median,
    }),
    atMost(3, {
      name: `${kind}: until a cleared sender is sure, median`,
      unit: 'decisions',
      ours: decisionsToLearn.median,
    }),
    atMost(2, {
      name: `${kind}: until a kept sender is not sure, median`,
      unit: 'decisions',
      ours: decisionsToUnlearn.median,
    }),
    atMost(6, {
      name: `${kind}: until a kept sender is not sure, most`,
      unit: 'decisions',
      ours: decisionsToUnlearn.most,
    }),
  ];
};

/** How many suggestions are called otherwise after everything was accepted, and that was undone. */
const measureUndo = (servers: Servers): Promise<Result> =>
  servers.withDatabase(async ({ mailsweep: { suggestions }, pool }) => {
    const readConfidence = async () =>
      (await suggestions.listGroups(USER, { by: 'classification', page: 1, perPage: 1 })).confidence;
    await insertMailbox(pool, QUEUE);
    await insertDecisions(pool, QUEUE);
    const before = await readConfidence();
    await acceptAllAndUndo(pool, QUEUE);
    const { sure, likely, check } = await readConfidence();
    const moved = [sure - before.sure, likely - before.likely, check - before.check].map(Math.abs);
    return atMost(0, {
      name: `called otherwise after accepting all ${QUEUE.emails} and undoing (${before.sure} sure, ${before.likely} likely before)`,
      unit: 'suggestions',
      ours: moved.reduce((sum, one) => sum + one, 0) / 2,
    });
  });

/** How well the probability of acceptance is estimated for simulated users, compared with the confidence alone. */
export const measureLearning = async (servers: Servers): Promise<Result[]> => [
  ...USER_KINDS.flatMap(measureKind),
  await measureUndo(servers),
  measureSure('changing, 1,500 decisions', simulateUsers({ ...LONG, kind: 'changing' })),
];
