import type { Report } from '../check-service.ts';
import { CLAUSES } from '../clauses.ts';

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text that XML 1.0 can hold. */
const toXmlText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').replaceAll(/[&<>"]/g, (character) => ESCAPED[character] ?? '');

/** A test suite for CI, with a test for each check; only errors are failures. */
export const toJunit = ({ url, results }: Report): string => {
  const cases = results.map(({ clause, name, findings, ms }) => {
    const failures = findings
      .filter(({ severity }) => severity === 'error')
      .map(
        ({ what, change }) =>
          `<failure message="${toXmlText(what)}">${toXmlText(`${clause}: ${CLAUSES[clause]} Change: ${change}`)}</failure>`,
      );
    return `  <testcase classname="${clause}" name="${toXmlText(name)}" time="${ms / 1_000}">${failures.join('')}</testcase>`;
  });
  const failed = results.filter(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${toXmlText(`contract of ${url}`)}" tests="${results.length}" failures="${failed.length}">`,
    ...cases,
    '</testsuite>\n',
  ].join('\n');
};
