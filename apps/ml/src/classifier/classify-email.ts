import type { MlRequestItem, MlSuggestion } from '@mailsweep/contracts';
import { toEmailFeatures } from './features.ts';
import { type Calibration, type Class, explain, MODEL, type Model, predict } from './model.ts';
import { parseSender } from './sender.ts';
import { findTopics, type Topic } from './topics.ts';

const MS_PER_DAY = 86_400_000;
/** Older dates come from a broken clock or a missing header. */
const EARLIEST_PLAUSIBLE_DATE = Date.UTC(1990, 0, 1);

/** Age in days; a date that is malformed, in the future or implausibly old is no evidence of age. */
const toAgeDays = (date: string, now: Date): number => {
  const sentAt = Date.parse(date);
  if (Number.isNaN(sentAt) || sentAt < EARLIEST_PLAUSIBLE_DATE) return 0;
  return Math.max(0, (now.getTime() - sentAt) / MS_PER_DAY);
};

/** Nobody misses a newsletter or an offer after so many days, nor a notice. */
const BULK_AGE_DAYS = 3;
const NOTICE_AGE_DAYS = 14;
/** Later a call for action is out of date. */
const URGENT_FOR_DAYS = 7;
const STALE_AGE_DAYS = 60;
/** Offers rarely hold for longer than a month. */
const OLD_PROMOTION_DAYS = 30;
/** Unread for a year: unlikely to be needed. After two and a half, deletion is the best suggestion. */
const DELETE_AGE_DAYS = 365;
const LARGE_MB = 10;
const LARGE_AGE_DAYS = 180;

/** Least probability that calibration looks at: below it nothing is suggested. */
export const LEAST = 0.2;
/** Confidence from which on something is suggested: wrong clearing costs most. */
const THRESHOLDS = { clear: 0.76, receipt: 0.55, notify: 0.74, delete: 0.9 };

/** Words that protect an email, whatever else it has. */
const PROTECTED: Topic[] = [
  ...(['security', 'code', 'terms', 'renewal', 'payment', 'calendar'] as const),
  ...(['bank', 'tax', 'contract', 'account'] as const),
];
/** Those that advertising and requests for an opinion borrow, but never alone. */
const OWN: Topic[] = ['trip', 'health', 'cover', 'parcel', 'matter'];
/** Those that advertising, newsletters and requests for an opinion borrow. */
const BORROWED: Topic[] = ['travel', 'appointment', 'document'];
const BORROWERS: Topic[] = ['offer', 'news'];
/** From this probability on, neither borrowed words nor a sender's address protect. */
const VERY_LIKELY = 0.85;
/** The model's probability from which cold outreach is archived although it reads like personal email. */
const LIKELY = 0.8;
/** From this on, neither borrowed words nor a sender's address protect what is filed as advertising. */
const RATHER_LIKELY = 0.7;

/** The number of an order, a customer or a case, such as `AB-1234`, `#1234` or `482 916`. */
const REFERENCE = /\b[A-Z]{1,4}-?\d{4,}|\b\d{3} ?\d{3}|#\d{4,}/;

/** A reply or a forwarded email, by the words of mail programs. */
const REPLY =
  /^\s*(?:re|aw|antw|sv|vs|ref|rif|r|res|enc|odp|pd|ynt|ilt|tr|wg|fwd?|doorst|回复|答复|回覆|転送|返信)\s*[:：]/i;

/** Whether a personal email may be cold outreach: its words are a stranger's, or it has words of sales and its domain sells leads. */
const isPitch = ({ subject, from }: MlRequestItem, topics: ReadonlySet<Topic>): boolean =>
  !REPLY.test(subject) &&
  (topics.has('pitch') || (topics.has('nudge') && findTopics(parseSender(from).domain).has('seller')));

/** Whether an email must not be archived or deleted, wherever the provider files it. */
const isProtected = (email: MlRequestItem, topics: ReadonlySet<Topic>, useless: number): boolean => {
  const has = (topic: Topic): boolean => topics.has(topic);
  const { isPerson, isCommon } = parseSender(email.from);
  const isDirect = email.category === 'primary' || email.category === 'updates';
  const isAdvertising = email.category === 'promotions';
  if (PROTECTED.some(has) || (isDirect && email.attachmentSizeMb > 0)) return true;
  // Providers file bulk email under promotions, also when its sender has a personal name.
  const isFromFirm = isAdvertising && !isCommon && useless >= VERY_LIKELY;
  if (isPerson && !isFromFirm && !(useless >= LIKELY && isPitch(email, topics))) return true;
  const isBorrowed = BORROWERS.some(has);
  // What was delivered is done with; product news and offers speak of receipts, too.
  const isReceipt = has('receipt') && useless < VERY_LIKELY;
  const isOwn = (OWN.some(has) || isReceipt || REFERENCE.test(email.subject)) && !has('delivered');
  // News has the words of one's own matters, too: only advertising borrows them.
  if (isOwn && !(has('matter') ? has('offer') : isBorrowed)) return true;
  if (useless >= VERY_LIKELY) return false;
  if (isOwn) return true;
  if (isAdvertising && useless >= RATHER_LIKELY) return false;
  return findTopics(email.from).has('keeper') || (BORROWED.some(has) && !isBorrowed && !has('delivery'));
};

/** Actions of the model, by what it has a probability for. */
export type Judgement = Record<'clear' | 'receipt' | 'notify', number>;

/**
 * How probable it is that each action is right, by the model's classes, age and state of the email, and the rules that
 * protect it, with what they were found by. Not calibrated.
 */
export const judge = (email: MlRequestItem, now: Date, model: Omit<Model, 'calibration'>) => {
  const topics = findTopics(email.subject);
  const features = toEmailFeatures(email, topics);
  const probabilities = predict(features, model);
  const ageDays = toAgeDays(email.date, now);
  const { bulk, notice } = probabilities;
  const useless = (ageDays >= BULK_AGE_DAYS ? bulk : 0) + (ageDays >= NOTICE_AGE_DAYS ? notice : 0);
  const judgement: Judgement = {
    clear: useless >= LEAST && !isProtected(email, topics, useless) ? useless : 0,
    receipt: probabilities.receipt,
    // An empty subject calls for nothing.
    notify: email.subject !== '' && !email.isRead && ageDays <= URGENT_FOR_DAYS ? probabilities.alert : 0,
  };
  return { topics, features, probabilities, judgement };
};

/** The share that is right of what has this probability. */
const calibrate = (probability: number, [slope, intercept]: Calibration): number => {
  if (probability < LEAST) return 0;
  const bounded = Math.min(1 - 1e-6, probability);
  return 1 / (1 + Math.exp(-slope * Math.log(bounded / (1 - bounded)) - intercept));
};

/** @param share - 0 where something starts to count, 1 where more adds nothing */
const grow = (low: number, high: number, share: number): number =>
  low + (high - low) * Math.min(1, Math.max(0, share));

const toUrgentClassification = (topics: ReadonlySet<Topic>): string => {
  if (topics.has('security') || topics.has('code')) return 'security_alert';
  if (topics.has('payment') || topics.has('renewal')) return 'payment_due';
  return topics.has('travel') ? 'travel_alert' : 'action_needed';
};

const toClearedClassification = (one: Class, { isRead }: MlRequestItem, ageDays: number): string => {
  if (one === 'bulk') return 'bulk';
  return !isRead && ageDays >= STALE_AGE_DAYS ? 'stale_unread' : 'recurring_notification';
};

/**
 * Suggestions for one email from its seven metadata fields, the most confident first, at most three. A model says what
 * the email is; rules say from which age on it may go, and protect what must stay.
 *
 * @param now - the instant that ages are counted up to
 */
export const classifyEmail = (item: MlRequestItem, now: Date): MlSuggestion[] => {
  const ageDays = toAgeDays(item.date, now);
  const { topics, features, probabilities, judgement } = judge(item, now, MODEL);
  const confidenceOf = (action: keyof Judgement): number =>
    calibrate(judgement[action], MODEL.calibration[action]);
  const suggestions: MlSuggestion[] = [];
  const suggest = (action: string, classification: string, confidence: number, one?: Class): void => {
    const reasons = one === undefined ? [] : explain(features, one, MODEL);
    const reason = reasons.length > 0 ? { reason: reasons.join(', ') } : {};
    suggestions.push({
      action,
      classification,
      confidence_score: Math.round(100 * confidence) / 100,
      ...reason,
    });
  };

  const [clear, receipt, notify] = [confidenceOf('clear'), confidenceOf('receipt'), confidenceOf('notify')];
  if (notify >= THRESHOLDS.notify) suggest('notify', toUrgentClassification(topics), notify, 'alert');
  if (receipt >= THRESHOLDS.receipt) suggest('label', 'receipt', receipt, 'receipt');
  if (clear >= THRESHOLDS.clear && suggestions.length === 0) {
    const one = probabilities.bulk > probabilities.notice ? 'bulk' : 'notice';
    const isOldPromotion = item.category === 'promotions' && ageDays >= OLD_PROMOTION_DAYS;
    const classification = isOldPromotion ? 'promotions_old' : toClearedClassification(one, item, ageDays);
    // The only email that is ever suggested for deletion.
    if (
      isOldPromotion &&
      !item.isRead &&
      ageDays >= DELETE_AGE_DAYS &&
      item.attachmentSizeMb === 0 &&
      clear >= THRESHOLDS.delete
    ) {
      const share = grow(0.85, 1, (ageDays - DELETE_AGE_DAYS) / (1.5 * DELETE_AGE_DAYS));
      suggest('delete', 'promotions_old', clear * share, one);
    }
    suggest('archive', classification, clear, one);
  }
  // Archiving frees no space and deleting may lose the only copy: the label shows all of its kind.
  if (item.attachmentSizeMb >= LARGE_MB && ageDays >= LARGE_AGE_DAYS)
    suggest('label', 'large_attachment', grow(0.55, 0.85, (item.attachmentSizeMb - LARGE_MB) / 15));
  return suggestions.toSorted((a, b) => b.confidence_score - a.confidence_score);
};
