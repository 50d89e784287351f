import { PROBLEM_KINDS } from '@mailsweep/contracts';
import { type ProblemError, titleOf } from '@mailsweep/service-kit';
import type { RequestHandler } from 'express';

/** Where every kind of problem is explained; `type` of a problem document leads to its row. */
export const PROBLEMS_PATH = '/docs/problems';

/**
 * Tells where a problem is explained, and with which status this installation sends it.
 *
 * @param options.origin - of the API
 * @param options.validationErrorStatus - status of a request that does not match its contract
 */
export const createDescribeProblem =
  (options: { origin: string; validationErrorStatus: number }) =>
  ({ code, status }: ProblemError) => ({
    type: `${options.origin}${PROBLEMS_PATH}#${code}`,
    status: code === 'validation_failed' ? options.validationErrorStatus : status,
  });

const STYLES = `
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; }
th, td { padding: 0.4rem 1.2rem 0.4rem 0; text-align: start; vertical-align: top; }
tr:target { background: #fff3bf; color: #000; }
:root { color-scheme: light dark; }
`;

/** The texts are our own: nothing in them needs escaping. */
const toRow = ([code, { status, remedy }]: [string, { status: number; remedy: string }]) =>
  `<tr id="${code}"><td>${status} ${titleOf(status)}</td><td><code>${code}</code></td><td>${remedy.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</td></tr>`;

const createPage = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problems of the Mailsweep API</title>
<style>${STYLES}</style>
</head>
<body>
<h1>Problems</h1>
<p>Error responses of <a href="../docs">the API</a> are problem documents (RFC 9457). Branch on <code>code</code>, show <code>detail</code>, and report <code>requestId</code>.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What to do</th></tr></thead>
<tbody>
${Object.entries(PROBLEM_KINDS).map(toRow).join('\n')}
</tbody>
</table>
</body>
</html>
`;

export const serveProblemsPage: RequestHandler = (_request, response) => {
  response.type('html').send(createPage());
};
