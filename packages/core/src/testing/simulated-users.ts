import { createRandom } from '@mailsweep/service-kit/testing';
import {
  DOUBT,
  estimateAcceptance,
  isDoubt,
  type KindDecisions,
  learnModel,
  sumByKind,
} from '../learning/acceptance.ts';

const SURE = 0.95;
const BINS = 10;

/** How confident the reference classifier is of its kinds, from the lowest to the highest. */
const KINDS = [
  { action: 'archive', classification: 'bulk', from: 0.7, to: 0.92 },
  { action: 'delete', classification: 'promotions_old', from: 0.85, to: 0.97 },
  { action: 'label', classification: 'receipt', from: 0.65, to: 0.94 },
  { action: 'notify', classification: 'urgent_alert', from: 0.7, to: 0.95 },
] as const;

/** How likely a user is to clear the email of a sender, for each of `KINDS`. */
type Taste = (random: () => number) => number[];

/** As the classifier is confident, on the whole; every user and kind differs. */
const mixed: Taste = (random) =>
  KINDS.map(({ from, to }) => Math.min(0.99, Math.max(0.05, (from + to) / 2 + (random() - 0.5) * 0.5)));

const TASTES = {
  mixed,
  /** Nearly all senders. */
  agreeing: () => KINDS.map(() => 0.98),
  /** Fewer senders than the classifier says. */
  reluctant: () => KINDS.map(() => 0.4),
  /** Nearly all senders of most kinds, and nearly none of one kind. */
  partial: (random) => {
    const kept = Math.floor(random() * KINDS.length);
    return KINDS.map((_, index) => (index === kept ? 0.02 : 0.98));
  },
  /** As `mixed`; after half of the decisions, the opposite for a third of the senders. */
  changing: mixed,
} as const satisfies Record<string, Taste>;

export type UserKind = keyof typeof TASTES;
export const USER_KINDS = Object.keys(TASTES) as UserKind[];

/** A decision, and what the suggestion was estimated at before it. */
interface Estimated {
  acceptance: number;
  confidence: number;
  isAccepted: boolean;
}

/**
 * The expected calibration error: how far estimates are from what happened, on average over bins of equal width. Source:
 * Naeini et al., Obtaining Well Calibrated Probabilities Using Bayesian Binning, AAAI 2015.
 */
const measureCalibrationError = (
  decisions: readonly { isAccepted: boolean }[],
  estimateOf: (index: number) => number,
): number => {
  const bins = Map.groupBy(decisions.keys(), (index) =>
    Math.min(BINS - 1, Math.floor(estimateOf(index) * BINS)),
  );
  return [...bins.values()].reduce((error, indexes) => {
    const estimated = indexes.reduce((sum, index) => sum + estimateOf(index), 0);
    const accepted = indexes.filter((index) => decisions[index]?.isAccepted).length;
    return error + Math.abs(estimated - accepted) / decisions.length;
  }, 0);
};

/** How likely a user accepts a suggestion for a sender whose email they clear, or keep. */
const toWilling = (random: () => number, isCleared: boolean): number =>
  isCleared ? 0.9 + random() * 0.1 : random() * 0.15;

/**
 * Decisions of a user who clears the email of some senders and keeps that of others. How many they keep differs by user and
 * kind, so that the confidence of the classifier is wrong for most users.
 */
const simulateUser = (random: () => number, { kind: userKind, decisions, senders }: SimulatedUsers) => {
  const taste = TASTES[userKind](random);
  const mailbox = Array.from({ length: senders }, () => {
    const kind = Math.floor(random() * KINDS.length);
    const isCleared = random() < (taste[kind] ?? 0);
    return { kind, willing: toWilling(random, isCleared), isCleared, isChanged: false };
  });
  const changeMind = () => {
    for (const sender of mailbox.filter((_, index) => index % 3 === 0)) {
      sender.isCleared = !sender.isCleared;
      sender.willing = toWilling(random, sender.isCleared);
      sender.isChanged = true;
    }
  };
  const toLearn = new Map<number, number>();
  const known = new Map<number, KindDecisions & { last: number }>();
  /** Of each kind; a decision changes one of them. */
  const sums = new Map<number, KindDecisions[]>();
  let sure: boolean[] = [];
  let doubtedAt = -1;
  const estimated: Estimated[] = [];
  const toUnlearn: number[] = [];
  const called = new Map<number, number>();
  for (let number = 0; number < decisions; number += 1) {
    if (userKind === 'changing' && number === Math.floor(decisions / 2)) changeMind();
    const index = Math.floor(random() * senders);
    const sender = mailbox[index];
    const kind = sender && KINDS[sender.kind];
    if (!sender || !kind) throw new Error('no such sender');
    const confidence = kind.from + random() * (kind.to - kind.from);
    const before = known.get(index) ?? { ...kind, decided: 0, accepted: 0, confidence: 0, last: -1 };
    const model = learnModel([...sums.values()].flat());
    const acceptance = estimateAcceptance(
      model,
      { ...kind, confidence },
      { ...before, isDoubted: before.last <= doubtedAt },
    );
    const isAccepted = random() < sender.willing;
    estimated.push({ acceptance, confidence, isAccepted });
    if (acceptance >= SURE) {
      sure = [...sure.slice(1 - DOUBT.of), isAccepted];
      if (isDoubt(sure)) doubtedAt = number;
    }
    if (sender.isCleared) {
      if (!toLearn.has(index) && !sender.isChanged) toLearn.set(index, Infinity);
      if (acceptance >= SURE && toLearn.get(index) === Infinity) toLearn.set(index, before.decided);
    } else {
      // From the first suggestion that is called sure, though the user keeps this sender's email.
      if (acceptance >= SURE && !called.has(index)) called.set(index, before.decided);
      const since = called.get(index);
      if (since !== undefined && acceptance < SURE) {
        toUnlearn.push(before.decided - since);
        called.delete(index);
      }
    }
    known.set(index, {
      ...before,
      decided: before.decided + 1,
      accepted: before.accepted + (isAccepted ? 1 : 0),
      confidence: before.confidence + confidence,
      last: number,
    });
    sums.set(sender.kind, sumByKind([...known.values()].filter(({ action }) => action === kind.action)));
  }
  return { estimated, toLearn: [...toLearn.values()], toUnlearn };
};

export interface SimulatedUsers {
  seed: number;
  kind: UserKind;
  users: number;
  /** Of each user. */
  decisions: number;
  senders: number;
}

/** Over all decisions of all users. */
export interface CalledSure {
  called: number;
  accepted: number;
  /** Half the interval at 95 % of `accepted / called`; decisions of a user are alike, so that users are the sample. */
  margin: number;
}

/** What simulated users, who decide as estimates are made, say about the estimates. */
export interface LearningReport {
  decisions: number;
  /** Expected calibration error of the estimates, and of the confidence alone. */
  calibrationError: number;
  calibrationErrorOfConfidence: number;
  /** The same after the first half of each user's decisions. */
  calibrationErrorLater: number;
  /** Suggestions that were called sure, and how many of them were accepted. */
  sure: CalledSure;
  /** The same of suggestions that the confidence alone would call sure. */
  sureByConfidence: CalledSure;
  /** Decisions of a user before the first suggestion that is called sure. */
  decisionsToFirstSure: { median: number };
  /** Decisions about a sender whose email is cleared, until a suggestion is called sure. */
  decisionsToLearn: { median: number };
  /** Decisions about a sender whose email is kept, from the first suggestion called sure to the first that is not. */
  decisionsToUnlearn: { median: number; most: number };
}

/**
 * Counts what was called sure. The margin is that of a ratio estimator over clusters: `1.96·√Σ(aᵤ − p·cᵤ)² / Σcᵤ`, with c
 * called and a accepted of user u (Cochran, Sampling Techniques, 3rd edition, section 6.3).
 */
const countCalled = (
  users: readonly (readonly Estimated[])[],
  isCalled: (decision: Estimated) => boolean,
): CalledSure => {
  const counts = users.map((estimated) => {
    const called = estimated.filter(isCalled);
    return { called: called.length, accepted: called.filter(({ isAccepted }) => isAccepted).length };
  });
  const called = counts.reduce((sum, user) => sum + user.called, 0);
  const accepted = counts.reduce((sum, user) => sum + user.accepted, 0);
  const squares = counts.reduce(
    (sum, user) => sum + (user.accepted - (accepted / called) * user.called) ** 2,
    0,
  );
  return { called, accepted, margin: (1.96 * Math.sqrt(squares)) / called };
};

const isSure = ({ acceptance }: Estimated): boolean => acceptance >= SURE;

const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;

/** Simulates users with a seed: the same seed gives the same report. */
export const simulateUsers = (options: SimulatedUsers): LearningReport => {
  const random = createRandom(options.seed);
  const users = Array.from({ length: options.users }, () => simulateUser(random, options));
  const decisions = users.map(({ estimated }) => estimated);
  const all = decisions.flat();
  const first = decisions
    .map((estimated) => estimated.findIndex(isSure))
    .map((index) => (index < 0 ? Infinity : index))
    .toSorted((one, other) => one - other);
  const later = users.flatMap(({ estimated }) => estimated.slice(options.decisions / 2));
  const toLearn = users.flatMap((user) => user.toLearn).toSorted((one, other) => one - other);
  const toUnlearn = users.flatMap((user) => user.toUnlearn).toSorted((one, other) => one - other);
  return {
    decisions: all.length,
    calibrationError: measureCalibrationError(all, (index) => all[index]?.acceptance ?? 0),
    calibrationErrorOfConfidence: measureCalibrationError(all, (index) => all[index]?.confidence ?? 0),
    calibrationErrorLater: measureCalibrationError(later, (index) => later[index]?.acceptance ?? 0),
    sure: countCalled(decisions, isSure),
    sureByConfidence: countCalled(decisions, ({ confidence }) => confidence >= SURE),
    decisionsToFirstSure: { median: middle(first) },
    decisionsToLearn: { median: middle(toLearn) },
    decisionsToUnlearn: {
      median: middle(toUnlearn),
      most: toUnlearn.at(-1) ?? 0,
    },
  };
};
