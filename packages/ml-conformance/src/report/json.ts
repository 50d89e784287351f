import type { Report } from '../check-service.ts';

/** Longest text of a report: bodies of 1,000 emails would bury the findings. */
const LONGEST = 2_000;

/** The report for programs: bodies are cut, and a response's text is not repeated as JSON. */
export const toJson = (report: Report): string =>
  JSON.stringify(
    report,
    (key, value: unknown) => {
      if (key === 'json') return undefined;
      return typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
    },
    2,
  );
