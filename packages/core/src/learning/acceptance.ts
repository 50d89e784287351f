/** Decisions about suggestions of one kind, of one sender or of all. The numbers need not be whole: they may be weighted. */
export interface Decisions {
  decided: number;
  accepted: number;
  /** Sum of the confidence, each from 0 to 1, of the suggestions that were decided. */
  confidence: number;
}

/** Suggestions of the same action for the same reason. */
export interface KindDecisions extends Decisions {
  action: string;
  classification: string;
}

/** What a user's decisions say about all suggestions, for all senders together. */
export interface AcceptanceModel {
  /** How many times as often as its confidence says a suggestion is rejected. */
  rejectionRatio: number;
  kinds: KindDecisions[];
  /** When the user last rejected several suggestions that were called sure; see {@link DOUBT}. */
  doubtedAt: Date | null;
}

/** Decisions about suggestions of one kind for one sender. */
export interface SenderDecisions {
  decided: number;
  accepted: number;
  /** Those of the accepted ones that were accepted with suggestions for other senders. */
  inBulk?: number;
  /** Whether the last of them is no later than the doubt of the model. */
  isDoubted?: boolean;
}

/**
 * How many decisions the level above counts for. One decision about a sender outweighs all about other senders, because
 * users treat senders differently; one about a kind must not outweigh the classifier.
 */
export const STRENGTHS = {
  sender: 0.7,
  kind: 50,
  /** In rejections, not in decisions. */
  global: 20,
} as const;

/** Whatever the classification service says, nothing is certain, and nothing is sure without decisions of the user. */
export const LIMITS = { lowest: 0.01, highest: 0.94 } as const;

/**
 * What an acceptance counts for its sender that was one of many, such as all that is likely: nobody has read them one by one.
 * About other senders it says nothing. A sender is sure after two of them at the earliest.
 */
export const IN_BULK_WEIGHT = 0.1;

/**
 * So many rejections among so many successive decisions about what was called sure put all earlier acceptances in doubt:
 * users who change their mind about some senders have done so about others as well. Where one in 20 is rejected, a rejection
 * is the second of five by chance in 19 of 100 cases (`1 − 0.95⁴`).
 */
export const DOUBT = { rejected: 2, of: 5 } as const;

/**
 * Whether a decision about a suggestion that was called sure puts earlier acceptances in doubt. The same is in SQL, in
 * `learned-acceptance.repository.ts`.
 *
 * @param accepted - the decisions about what was called sure, newest last
 */
export const isDoubt = (accepted: readonly boolean[]): boolean =>
  accepted.at(-1) === false &&
  accepted.slice(-DOUBT.of).filter((isAccepted) => !isAccepted).length >= DOUBT.rejected;

/**
 * The weight of the decisions of a group at the level above. Decisions within a group are alike: a sender who was rejected
 * a hundred times is one sender, not a hundred pieces of evidence about others.
 *
 * Formula: `w = (m + 1) / (m + n)`, so that n decisions count as `n·w`, 1 for n = 1 and at most m + 1. It is the inverse of
 * the design effect `1 + (n − 1)·ρ` (Kish, Survey Sampling, 1965, section 5.4) with the correlation within a group of a
 * beta-binomial distribution, `ρ = 1 / (m + 1)`.
 *
 * @param decided - n, at least 1
 * @param strength - m, the strength of the prior of the group
 */
export const toGroupWeight = (decided: number, strength: number): number =>
  (strength + 1) / (strength + decided);

/** Sums decisions of senders by kind, each sender by its weight; without acceptances in bulk. */
export const sumByKind = (senders: readonly (KindDecisions & SenderDecisions)[]): KindDecisions[] => {
  const kinds = new Map<string, KindDecisions>();
  for (const { action, classification, inBulk = 0, ...all } of senders) {
    const decided = all.decided - inBulk;
    if (decided === 0) continue;
    const accepted = all.accepted - inBulk;
    const confidence = (all.confidence * decided) / all.decided;
    const weight = toGroupWeight(decided, STRENGTHS.sender);
    const key = `${action} ${classification}`;
    const sum = kinds.get(key) ?? { action, classification, decided: 0, accepted: 0, confidence: 0 };
    kinds.set(key, {
      action,
      classification,
      decided: sum.decided + weight * decided,
      accepted: sum.accepted + weight * accepted,
      confidence: sum.confidence + weight * confidence,
    });
  }
  return [...kinds.values()];
};

/**
 * Compares all decisions with what the confidence of their suggestions has promised.
 *
 * Formula: `r = (R + g) / (E + g)` with R rejections, `E = Σ(1 − confidence)` expected ones and `g = STRENGTHS.global`; kinds
 * are weighted as groups. This is the mean of a Gamma(g + R, g + E) posterior, the usual shrinkage of a ratio of observed to
 * expected counts towards 1 (Clayton and Kaldor, Biometrics 43, 1987; Gelman et al., Bayesian Data Analysis, 3rd edition,
 * section 2.6).
 *
 * Limits: one factor for all confidences. A service that is too sure of some kinds and not sure enough of others is corrected
 * by the kinds alone.
 *
 * @param kinds - as {@link sumByKind} returns them
 */
export const learnModel = (
  kinds: readonly KindDecisions[],
  doubtedAt: Date | null = null,
): AcceptanceModel => {
  let rejected = 0;
  let expected = 0;
  for (const { decided, accepted, confidence } of kinds) {
    if (decided <= 0) continue;
    const weight = Math.min(1, toGroupWeight(decided, STRENGTHS.kind));
    rejected += weight * (decided - accepted);
    expected += weight * (decided - confidence);
  }
  const rejectionRatio = (rejected + STRENGTHS.global) / (expected + STRENGTHS.global);
  return { rejectionRatio, kinds: [...kinds], doubtedAt };
};

/**
 * What the confidence of a suggestion means for this user, before anything is known of its kind and sender: `1 − r·(1 − s)`,
 * within {@link LIMITS}. For a new user, r is 1: the confidence itself, up to the highest.
 *
 * @param confidence - s, from 0 to 1
 */
const toPrior = (confidence: number, rejectionRatio: number): number =>
  Math.min(LIMITS.highest, Math.max(LIMITS.lowest, rejectionRatio * confidence + (1 - rejectionRatio)));

/** The mean of a beta-binomial posterior: the prior counts as so many decisions. Without decisions it is exactly the prior. */
const shrink = (prior: number, strength: number, { decided, accepted }: Omit<Decisions, 'confidence'>) =>
  (strength / (strength + decided)) * prior + accepted / (strength + decided);

const NO_DECISIONS = { decided: 0, accepted: 0 };

/** What counts of a sender's decisions: acceptances from before a doubt do not, those in bulk do little. */
const toCounted = ({ decided, accepted, inBulk = 0, isDoubted }: SenderDecisions) => {
  if (isDoubted) return { decided: decided - accepted, accepted: 0 };
  const uncounted = (1 - IN_BULK_WEIGHT) * inBulk;
  return { decided: decided - uncounted, accepted: accepted - uncounted };
};

/**
 * The probability that the user accepts a suggestion: from the confidence to all decisions about its kind, and from there to
 * those about its kind and sender.
 *
 * Formula, at both levels: `p = (m·prior + accepted) / (m + decided)`, the mean of Beta(m·prior + accepted, m·(1 − prior) +
 * decided − accepted). Source: the beta-binomial model of Gelman et al., Bayesian Data Analysis, 3rd edition, sections 2.4
 * and 5.3; shrinking the rates of many groups towards that of all follows Efron and Morris, Journal of the American
 * Statistical Association 70 (1975).
 *
 * Limits: the strengths are constants, not estimated for each user. Old decisions count like new ones until a doubt, and
 * those before it still count for their kind. A sender's decisions count for their kind, too, which matters where the kind
 * has few senders. What one request accepts of a sender counts once, and little where it accepts suggestions for all senders.
 *
 * The same formula is in SQL, in `learned-acceptance.repository.ts`.
 *
 * @param ofSender - decisions about the same kind of suggestion for the same sender
 */
export const estimateAcceptance = (
  { rejectionRatio, kinds }: AcceptanceModel,
  suggestion: { action: string; classification: string; confidence: number },
  ofSender: SenderDecisions = NO_DECISIONS,
): number => {
  const kind = kinds.find(
    ({ action, classification }) =>
      action === suggestion.action && classification === suggestion.classification,
  );
  const prior = toPrior(suggestion.confidence, rejectionRatio);
  return shrink(shrink(prior, STRENGTHS.kind, kind ?? NO_DECISIONS), STRENGTHS.sender, toCounted(ofSender));
};
