import type { MailboxSeed, SeedMessage } from '@mailsweep/google-sandbox';
import { createRandom } from '@mailsweep/service-kit/testing';

/** A mailbox to make up. */
export interface MailboxPlan {
  email: string;
  seed: number;
  messages: number;
  /** How much of the mail comes from few senders: 1 spreads it evenly. */
  skew: number;
  unreadShare: number;
  /** Labels of the user's own; each message has a few of them. */
  ownLabels: number;
  attachmentShare: number;
  /** Age of the newest mail, and days over which all is spread. */
  newestDaysAgo: number;
  days: number;
}

const CATEGORIES = ['PROMOTIONS', 'SOCIAL', 'UPDATES', 'FORUMS'];
const SENDERS = 200;
const DAY_MS = 86_400_000;
const MB = 1_000_000;

/** The id of a message, counted from the newest. */
const toMessageId = (email: string, index: number): string => `${email.replaceAll(/\W/g, '-')}-${index}`;

/** The same mailbox for the same plan; newest message first. */
export const generateMailbox = (plan: MailboxPlan, nowMs: number): MailboxSeed => {
  const random = createRandom(plan.seed);
  const labels = Array.from({ length: plan.ownLabels }, (_, index) => ({
    id: `Label_${index + 1}`,
    name: `Folder ${index + 1}`,
  }));
  const toMessage = (_: unknown, index: number): SeedMessage => {
    const sender = Math.floor(SENDERS * random() ** plan.skew);
    const category = CATEGORIES[Math.floor(random() * (CATEGORIES.length + 1))];
    const hasAttachment = random() < plan.attachmentShare;
    return {
      id: toMessageId(plan.email, index),
      threadId: `thread-${toMessageId(plan.email, index)}`,
      from: `Sender ${sender} <news@sender-${sender}.example>`,
      to: plan.email,
      subject: `Number ${index} of what sender ${sender} has to say`,
      text: 'What there is to read. '.repeat(1 + Math.floor(random() * 20)),
      labels: [
        'INBOX',
        ...(random() < plan.unreadShare ? ['UNREAD'] : []),
        ...(category === undefined ? [] : [`CATEGORY_${category}`]),
        ...labels.filter(() => random() < 2 / plan.ownLabels).map(({ id }) => id),
      ],
      receivedAtMs: Math.round(nowMs - (plan.newestDaysAgo + (index / plan.messages) * plan.days) * DAY_MS),
      bodySizeBytes: 1_000 + Math.floor(random() * 50_000),
      attachments: hasAttachment
        ? [
            {
              filename: 'report.pdf',
              mimeType: 'application/pdf',
              sizeBytes: Math.floor(random() * 20 * MB),
              isInline: false,
            },
          ]
        : [],
    };
  };
  return {
    user: { email: plan.email, givenName: 'Ada', familyName: 'Example', locale: 'en' },
    labels,
    messages: Array.from({ length: plan.messages }, toMessage),
  };
};
