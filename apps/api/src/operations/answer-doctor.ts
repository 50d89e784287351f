import { answerDoctorQuestion } from '@mailsweep/mail/provider-connection';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Config } from '../config.ts';

/** Of the request: the doctor's question. Of the response: the answer. */
export const DOCTOR_HEADER = 'mailsweep-doctor';

export const DoctorAnswerSchema = z.object({
  /** Proxies that named a client in X-Forwarded-For. */
  proxies: z.number(),
  /** Fingerprints of the variables that this process has, as the question allows to make them. */
  variables: z.record(z.string(), z.string()),
});
export type DoctorAnswer = z.output<typeof DoctorAnswerSchema>;

/** Tells who has the encryption key, and nobody else, how a request arrives and what this process was started with. */
export const createAnswerDoctor =
  ({ TOKEN_ENCRYPTION_KEY: key, sharedVariables }: Config): RequestHandler =>
  (request, response, next) => {
    const question = request.get(DOCTOR_HEADER);
    const variables = question && answerDoctorQuestion(question, key, sharedVariables);
    if (variables) {
      const proxies = request.get('x-forwarded-for')?.split(',').length ?? 0;
      response.set(DOCTOR_HEADER, JSON.stringify({ proxies, variables } satisfies DoctorAnswer));
    }
    next();
  };
