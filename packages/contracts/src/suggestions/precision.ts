import { z } from 'zod';
import { MAX_PRECISION_CLASSIFICATIONS, MAX_PRECISION_SPANS } from '../values/limits.ts';
import { CountSchema } from '../values/scalars.ts';

const ShareSchema = z.number().min(0).max(1);

/** Decisions about suggestions of one degree, and how many agreed. */
const AgreementSchema = z.object({ decided: CountSchema, agreed: CountSchema }).meta({ id: 'Agreement' });
export type Agreement = z.infer<typeof AgreementSchema>;

const MeasuredAgreementSchema = AgreementSchema.extend({
  rate: ShareSchema.nullable().meta({ description: 'Agreed by decided; null without decisions.' }),
  low: ShareSchema.nullable().meta({
    description:
      'The lower end of the 95% interval of the rate (Wilson), from 0 to 1; null without decisions.',
  }),
  high: ShareSchema.nullable(),
}).meta({ id: 'MeasuredAgreement' });

const byBand = <Schema extends z.ZodType>(schema: Schema) => ({
  sure: schema,
  likely: schema,
  check: schema,
});

/** Query of `GET /api/v1/precision`. */
export const PrecisionQuerySchema = z.strictObject({
  by: z.enum(['week', 'month']).default('week').meta({
    description: 'How long the spans are. Weeks begin on Monday; all spans begin at midnight UTC.',
  }),
});
export type PrecisionQuery = z.infer<typeof PrecisionQuerySchema>;

/** Response of `GET /api/v1/precision`: how often the user agreed with suggestions, by degree. */
export const PrecisionSchema = z
  .object({
    by: PrecisionQuerySchema.shape.by.unwrap(),
    ...byBand(MeasuredAgreementSchema),
    spans: z
      .array(z.object({ start: z.iso.date(), ...byBand(AgreementSchema) }))
      .max(MAX_PRECISION_SPANS)
      .meta({ description: 'Oldest first; spans without decisions are left out.' }),
    classifications: z
      .array(z.object({ classification: z.string(), ...byBand(AgreementSchema) }))
      .max(MAX_PRECISION_CLASSIFICATIONS)
      .meta({ description: 'Those with most decisions first.' }),
  })
  .meta({ id: 'Precision' });
export type Precision = z.infer<typeof PrecisionSchema>;
