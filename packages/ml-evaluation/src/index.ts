export {
  type Difference,
  type EvaluationReport,
  evaluateServices,
  type ServiceEvaluation,
} from './evaluate-services.ts';
export type { LabelledEmail } from './labelled-email.ts';
export type { Scores } from './metrics/classification-report.ts';
export { ServiceFailedError } from './reading/classify-emails.ts';
export { parseLabelledEmails } from './reading/parse-labelled-emails.ts';
export { toScore } from './report/format.ts';
export { toHtml } from './report/html-report.ts';
