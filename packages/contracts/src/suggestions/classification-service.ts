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

/** A suggestion, if the service likes with its reasons. They quote the email: Mailsweep neither stores nor shows them. */
export const MlSuggestionSchema = SuggestionSchema.extend({
  reason: z.string().min(1).max(500).optional().meta({ description: 'Why, in words for people.' }),
}).meta({ id: 'MlSuggestion' });
export type MlSuggestion = z.infer<typeof MlSuggestionSchema>;

/** The suggestions for one of the emails sent. */
export const MlResponseItemSchema = z
  .object({ id: z.string(), suggestions: z.array(MlSuggestionSchema) })
  .meta({ id: 'MlResponseItem' });
export type MlResponseItem = z.infer<typeof MlResponseItemSchema>;

/** The canonical response of `POST /v1/suggest`: one item for each email, in any order. */
export const MlResponseSchema = z.array(MlResponseItemSchema);
export type MlResponse = z.infer<typeof MlResponseSchema>;
