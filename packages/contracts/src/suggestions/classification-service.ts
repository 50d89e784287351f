import { z } from 'zod';
import { MlRequestItemSchema, SuggestionSchema } from './suggestion.ts';

/** Path of the suggestion route at the classification service. */
export const ML_SUGGEST_PATH = '/v1/suggest';
/** `aud` of the internal token that the backend sends to the classification service. */
export const ML_TOKEN_AUDIENCE = 'ml';
/** `iss` of the internal token. */
export const ML_TOKEN_ISSUER = 'mailsweep-api';

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
