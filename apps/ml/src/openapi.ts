import {
  HealthSchema,
  ML_SUGGEST_PATH,
  MlRequestSchema,
  MlResponseSchema,
  PROBLEM_MEDIA_TYPE,
  ProblemSchema,
} from '@mailsweep/contracts';
import { createDocument, type ZodOpenApiResponseObject } from 'zod-openapi';

const problem = (description: string): ZodOpenApiResponseObject => ({
  description,
  content: { [PROBLEM_MEDIA_TYPE]: { schema: ProblemSchema } },
});

/** The OpenAPI 3.1 document of the classification service. */
export const openApiDocument = createDocument({
  openapi: '3.1.0',
  info: {
    title: 'Mailsweep classification service',
    version: '1.0.0',
    description:
      'Suggests what to do with emails, judging by seven metadata fields alone; their content is never sent.',
  },
  security: [{ internalToken: [] }],
  paths: {
    [ML_SUGGEST_PATH]: {
      post: {
        operationId: 'suggest',
        summary: 'Suggest actions for up to 1,000 emails',
        requestBody: { required: true, content: { 'application/json': { schema: MlRequestSchema } } },
        responses: {
          '200': {
            description: 'The suggestions for each email, in the order of the request.',
            content: { 'application/json': { schema: MlResponseSchema } },
          },
          '400': problem('The body is not a list of emails; `errors` names the faulty fields.'),
          '401': problem('The internal token is missing or invalid.'),
          '413': problem('The body is larger than 2 MB.'),
          '415': problem('The body is not application/json.'),
        },
      },
    },
    '/health': {
      get: {
        operationId: 'checkHealth',
        summary: 'The process is alive',
        security: [],
        responses: {
          '200': {
            description: 'It is.',
            content: { 'application/json': { schema: HealthSchema } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      internalToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'Signed by the backend (HS256) with the secret that both services share.',
      },
    },
  },
});
