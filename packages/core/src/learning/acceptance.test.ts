import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulateUsers, USER_KINDS } from '../testing/simulated-users.ts';
import {
  DOUBT,
  estimateAcceptance,
  isDoubt,
  type KindDecisions,
  learnModel,
  sumByKind,
  toGroupWeight,
} from './acceptance.ts';

const BULK = { action: 'archive', classification: 'bulk' };
const OLD = { action: 'delete', classification: 'promotions_old' };
const NEW_USER = learnModel([]);

const senders = fc.array(
  fc
    .record({
      kind: fc.constantFrom(BULK, OLD),
      decided: fc.integer({ min: 1, max: 500 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(
      ({ kind, decided, share, confidence }): KindDecisions => ({
        ...kind,
        decided,
        accepted: Math.floor(share * decided),
        confidence: confidence * decided,
      }),
    ),
  { maxLength: 30 },
);
const confidence = fc.double({ min: 0, max: 1, noNaN: true });

describe('the probability that a user accepts a suggestion', () => {
  test.each([
    [0, 0.01],
    [0.5, 0.5],
    [0.9, 0.9],
    [0.97, 0.94],
    [1, 0.94],
  ])('is for a new user the confidence, but never sure: %d is %d', (given, expected) => {
    expect(estimateAcceptance(NEW_USER, { ...BULK, confidence: given })).toBeCloseTo(expected, 12);
  });

  test('is always a probability, and grows with each acceptance and with the confidence', () => {
    fc.assert(
      fc.property(senders, confidence, confidence, (rows, one, other) => {
        const model = learnModel(sumByKind(rows));
        const estimate = (of: number, accepted: number) =>
          estimateAcceptance(model, { ...BULK, confidence: of }, { decided: 3, accepted });
        for (const sure of [one, other]) {
          expect(estimate(sure, 3)).toBeLessThan(1);
          expect(estimate(sure, 0)).toBeGreaterThan(0);
          expect(estimate(sure, 2)).toBeGreaterThan(estimate(sure, 1));
        }
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(estimate(high, 1)).toBeGreaterThanOrEqual(estimate(low, 1));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('follows the decisions about the sender, where there are many, whatever is known of others', () => {
    const model = learnModel(sumByKind([{ ...BULK, decided: 400, accepted: 0, confidence: 380 }]));
    const suggestion = { ...BULK, confidence: 0.5 };
    expect(estimateAcceptance(model, suggestion, { decided: 1_000, accepted: 970 })).toBeCloseTo(0.97, 2);
  });

  test('is no longer sure after one rejection for the sender; one does not end it for senders who are known', () => {
    const rejected = { ...OLD, decided: 1, accepted: 0, confidence: 0.97 };
    const model = learnModel(sumByKind([rejected]));
    const suggestion = { ...OLD, confidence: 0.97 };
    expect(estimateAcceptance(model, suggestion, rejected)).toBeLessThan(0.75);
    expect(estimateAcceptance(model, suggestion, { decided: 2, accepted: 2 })).toBeGreaterThan(0.95);
  });

  test('is sure for senders of whom nothing is known after many others of the kind were accepted', () => {
    const accept = (count: number) =>
      learnModel(
        sumByKind(
          Array.from({ length: count }, () => ({ ...OLD, decided: 1, accepted: 1, confidence: 0.97 })),
        ),
      );
    const suggestion = { ...OLD, confidence: 0.97 };
    expect(estimateAcceptance(accept(9), suggestion)).toBeLessThan(0.95);
    expect(estimateAcceptance(accept(11), suggestion)).toBeGreaterThan(0.95);
  });

  test('learns little of a sender, and nothing of others, from what was accepted for many senders at once', () => {
    const suggestion = { ...OLD, confidence: 0.97 };
    const inBulk = { ...OLD, decided: 1, accepted: 1, inBulk: 1, confidence: 0.97 };
    const model = learnModel(sumByKind(Array.from({ length: 500 }, () => inBulk)));
    expect(model).toEqual(NEW_USER);
    expect(estimateAcceptance(model, suggestion, inBulk)).toBeLessThan(0.95);
    expect(estimateAcceptance(model, suggestion, { decided: 2, accepted: 2, inBulk: 2 })).toBeGreaterThan(
      0.95,
    );
    const read = { ...inBulk, decided: 2, accepted: 2 };
    expect(sumByKind([read])).toEqual([{ ...OLD, decided: 1, accepted: 1, confidence: 0.485 }]);
  });

  test('counts acceptances of a sender from before a doubt no longer, and rejections as before', () => {
    const suggestion = { ...OLD, confidence: 0.9 };
    const estimate = (decided: number, accepted: number, isDoubted: boolean) =>
      estimateAcceptance(NEW_USER, suggestion, { decided, accepted, isDoubted });
    expect(estimate(9, 9, true)).toBeCloseTo(0.9, 12);
    expect(estimate(9, 9, false)).toBeGreaterThan(0.95);
    expect(estimate(9, 7, true)).toBeCloseTo(estimate(2, 0, false), 12);
  });

  test.each([
    ['two of five', [true, false, true, true, false], true],
    ['two in a row', [false, false], true],
    ['two of six', [false, true, true, true, true, false], false],
    ['one', [true, false], false],
    ['an acceptance after two', [false, false, true], false],
    ['nothing', [], false],
  ])('of what was called sure is doubted after rejections: %s', (_, decisions, expected) => {
    expect(DOUBT).toEqual({ rejected: 2, of: 5 });
    expect(isDoubt(decisions)).toBe(expected);
  });

  test('takes a hundred rejections of one sender as little about others, and those of many senders as much', () => {
    const reject = (count: number, each: number) =>
      learnModel(
        sumByKind(
          Array.from({ length: count }, () => ({
            ...OLD,
            decided: each,
            accepted: 0,
            confidence: each * 0.97,
          })),
        ),
      );
    const suggestion = { ...OLD, confidence: 0.97 };
    const [ofOne, ofMany] = [reject(1, 100), reject(100, 1)].map((model) =>
      estimateAcceptance(model, suggestion),
    );
    expect(ofOne).toBeGreaterThan(0.89);
    expect(ofMany).toBeLessThan(0.5);
  });

  test('learns from other kinds that the classifier is too sure', () => {
    const model = learnModel(
      sumByKind(Array.from({ length: 50 }, () => ({ ...BULK, decided: 2, accepted: 1, confidence: 1.9 }))),
    );
    expect(model.rejectionRatio).toBeGreaterThan(1.5);
    expect(estimateAcceptance(model, { ...OLD, confidence: 0.97 })).toBeLessThan(0.96);
  });

  test('gives a group of one its full weight, and any group no more than its strength and one', () => {
    expect(toGroupWeight(1, 4)).toBe(1);
    expect(1_000_000 * toGroupWeight(1_000_000, 4)).toBeCloseTo(5, 3);
  });
});

describe('simulated users', () => {
  test.each(USER_KINDS)('of the kind "%s" are estimated better than by the confidence', (kind) => {
    const report = simulateUsers({ seed: 1, kind, users: 30, decisions: 300, senders: 50 });

    expect(report.calibrationError).toBeLessThan(report.calibrationErrorOfConfidence);
    const [ours, theirs] = [report.sure, report.sureByConfidence].map(
      ({ called, accepted }) => accepted / called,
    );
    expect(ours).toBeGreaterThan(theirs ?? 1);
    expect(report.decisionsToUnlearn.median).toBeLessThanOrEqual(2);
  });

  test.each(USER_KINDS.filter((kind) => kind !== 'changing'))(
    'of the kind "%s" accept at least 95 in 100 of what is called sure',
    (kind) => {
      const { sure, decisions, decisionsToFirstSure } = simulateUsers({
        seed: 12,
        kind,
        users: 400,
        decisions: 300,
        senders: 50,
      });

      expect(sure.accepted / sure.called).toBeGreaterThanOrEqual(0.95);
      expect(sure.margin).toBeLessThan(0.005);
      expect(sure.called / decisions).toBeGreaterThan(kind === 'reluctant' ? 0.09 : 0.35);
      expect(decisionsToFirstSure.median).toBeLessThanOrEqual(kind === 'reluctant' ? 45 : 18);
    },
  );

  test.each([
    [300, 100, 0.92],
    [1_500, 50, 0.95],
  ])('who change their mind once in %d decisions soon agree again', (decisions, users, least) => {
    const { sure } = simulateUsers({ seed: 12, kind: 'changing', users, decisions, senders: 50 });

    expect(sure.accepted / sure.called).toBeGreaterThan(least);
  });

  test.each([1, 2, 3])('with seed %d are estimated well, and better than by the confidence', (seed) => {
    const report = simulateUsers({ seed, kind: 'mixed', users: 100, decisions: 300, senders: 50 });

    expect(report.calibrationError).toBeLessThan(0.06);
    expect(report.calibrationError).toBeLessThan(report.calibrationErrorOfConfidence);
    expect(report.sure.called).toBeGreaterThan(report.decisions / 10);
    expect(report.sure.accepted / report.sure.called).toBeGreaterThan(0.94);
    expect(report.decisionsToUnlearn.median).toBeLessThanOrEqual(2);
    expect(report.decisionsToUnlearn.most).toBeLessThanOrEqual(6);
  });
});
