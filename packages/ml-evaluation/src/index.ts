export {
  type Difference,
  type EvaluationReport,
  evaluateServices,
  type ServiceEvaluation,
  ServiceFailedError,
} from './evaluate-services.ts';
export { type Evaluation, evaluate } from './evaluation.ts';
export type { LabelledEmail } from './labelled-email.ts';
export type { Scores } from './metrics/classification-report.ts';
export { parseLabelledEmails } from './reading/parse-labelled-emails.ts';
export { toHtml, toScore } from './report/html-report.ts';
