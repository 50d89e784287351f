import { EmailCategorySchema, type MlRequestItem } from '@mailsweep/contracts';
import { z } from 'zod';

/** What a careful user would want of an email: nothing, to clear it away, a label, or to be told of it. */
const WantedSchema = z.enum(['nothing', 'clear', 'receipt', 'large', 'notify']);
export type CorpusWanted = z.infer<typeof WantedSchema>;

export interface CorpusEmail {
  wanted: CorpusWanted;
  /** What it is about, such as `personal`, `security` or `doctor`. */
  kind: string;
  email: MlRequestItem;
}

const HeadSchema = z.tuple([
  WantedSchema,
  z.string(),
  z.coerce.number().int().min(0),
  z.enum(['u', 'r']),
  EmailCategorySchema,
]);
const MS_PER_DAY = 86_400_000;

/**
 * Reads emails from lines.
 *
 * @param text - a line for each: what is wanted, kind, age in days, `u`nread or `r`ead and category; then, after a bar each,
 *   sender, subject and MB of attachments
 */
export const toCorpus = (text: string, now: Date): CorpusEmail[] =>
  text
    .trim()
    .split('\n')
    .map((line, index) => {
      const [head = '', from = '', subject = '', megabytes = '0'] = line.split(' | ');
      const [wanted, kind, ageDays, state, category] = HeadSchema.parse(head.split(' '));
      return {
        wanted,
        kind,
        email: {
          id: `m${index}`,
          from,
          subject,
          date: new Date(now.getTime() - ageDays * MS_PER_DAY).toISOString(),
          isRead: state === 'r',
          category,
          attachmentSizeMb: Number(megabytes),
        },
      };
    });
