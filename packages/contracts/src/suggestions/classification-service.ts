import { z } from 'zod';
import { EmailSchema } from '../emails/email.ts';
import { SuggestionSchema } from './suggestion.ts';

/** Path of the suggestion route at the classification service. */
export const ML_SUGGEST_PATH = '/v1/suggest';
/** `aud` of the internal token that the backend sends to the classification service. */
export const ML_TOKEN_AUDIENCE = 'ml';
/** `iss` of the internal token. */
export const ML_TOKEN_ISSUER = 'mailsweep-api';

/** The seven metadata fields of an email that the classification service sees; never its content. */
export const MlRequestItemSchema = EmailSchema.pick({
  id: true,
  from: true,
  subject: true,
  date: true,
  isRead: true,
  category: true,
  attachmentSizeMb: true,
}).meta({ id: 'MlRequestItem' });
export type MlRequestItem = z.infer<typeof MlRequestItemSchema>;

/** Body of `POST /v1/suggest`. */
export const MlRequestSchema = z.array(MlRequestItemSchema);
export type MlRequest = z.infer<typeof MlRequestSchema>;

/** The suggestions for one of the emails sent. */
export const MlResponseItemSchema = z
  .object({ id: z.string(), suggestions: z.array(SuggestionSchema) })
  .meta({ id: 'MlResponseItem' });
export type MlResponseItem = z.infer<typeof MlResponseItemSchema>;

/** The canonical response of `POST /v1/suggest`: one item for each email, in any order. */
export const MlResponseSchema = z.array(MlResponseItemSchema);
export type MlResponse = z.infer<typeof MlResponseSchema>;
