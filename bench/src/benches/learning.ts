import { simulateUsers, USER_KINDS, type UserKind } from '@mailsweep/core/testing';
import { atMost, atMostTimes, type Result } from '../measure.ts';

/** As the tests of the learning: they hold these users to limits. */
const POPULATION = { seed: 1, users: 100, decisions: 300, senders: 50 };
const SURE_PERCENT = 95;

const toShare = ({ called, accepted }: { called: number; accepted: number }): number =>
  (100 * accepted) / called;

const measureKind = (kind: UserKind): Result[] => {
  const report = simulateUsers({ ...POPULATION, kind });
  const { sure, sureByConfidence, decisionsToLearn, decisionsToUnlearn } = report;
  const toPercent = (called: number) => `${Math.round((100 * called) / report.decisions)} %`;
  const accepted = toShare(sure);
  return [
    atMostTimes(1, {
      name: `${kind}: calibration error`,
      unit: '%',
      ours: 100 * report.calibrationError,
      floor: 100 * report.calibrationErrorOfConfidence,
    }),
    {
      name: `${kind}: accepted of ${toPercent(sure.called)} called sure (floor: of ${toPercent(sureByConfidence.called)})`,
      unit: '%',
      ours: accepted,
      floor: toShare(sureByConfidence),
      ratio: accepted / toShare(sureByConfidence),
      target: `≥ ${SURE_PERCENT} %`,
      isMet: accepted >= SURE_PERCENT,
    },
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

/** How well the probability of acceptance is estimated for simulated users, compared with the confidence alone. */
export const measureLearning = async (): Promise<Result[]> => USER_KINDS.flatMap(measureKind);
