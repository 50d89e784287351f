import { type Copied, ERRORS, GOOGLE_STEPS, JMAP_STEP, type Step } from './texts.ts';

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const renderDocument = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} – Mailsweep</title>
  <link rel="stylesheet" href="setup.css">
  <script type="module" src="setup.js"></script>
</head>
<body>
  <header><a href="./">Mailsweep</a></header>
  <main>
    ${body}
    <noscript><p>These pages need JavaScript.</p></noscript>
  </main>
</body>
</html>
`;

export const renderStart = (): string =>
  renderDocument(
    'Connect your own mailbox',
    `<h1>Connect your own mailbox</h1>
    <p>Mailsweep shows sample mailboxes until it may open yours. What you enter is tried at your provider alone, and kept on this machine, in the file .env.</p>
    <p><a class="button" href="${GOOGLE_STEPS[0]?.key}">Gmail, with your own client at Google</a> Seven short steps, five minutes. Google wants each installation to have its own client.</p>
    <p><a class="button" href="${JMAP_STEP.key}">Fastmail, Stalwart, Cyrus or another JMAP server</a> A token, one minute.</p>`,
  );

const renderField = (name: string, label: string, type = 'text'): string =>
  `<label>${label}<input name="${name}" type="${type}" autocomplete="off" autocapitalize="off" spellcheck="false" data-kept></label>`;

const renderForm = (action: string, fields: string): string => `<form action="${action}">
      ${fields}
      <button data-busy="Checking…">Check and save</button>
      <div role="status" data-gone="Mailsweep does not respond. Look at the terminal."></div>
    </form>`;

const FORMS = {
  project: `<form>${renderField('project', 'Address of a page of your project, or the project’s ID')}</form>`,
  google: renderForm(
    'google',
    `<label>Choose the JSON file, or drop it here<input type="file" accept=".json"></label>
      <label>or paste its text, or type client ID and secret<textarea name="file" rows="3" spellcheck="false" data-kept></textarea></label>
      ${renderField('clientId', 'Client ID')}${renderField('clientSecret', 'Client secret', 'password')}`,
  ),
  jmap: renderForm(
    'jmap',
    renderField('sessionUrl', 'Address of the server') + renderField('token', 'Token', 'password'),
  ),
};

const toEntry = ([code, { words, step }]: [string, { words: string; step: string }]): string =>
  `<dt><code>${code}</code></dt><dd>${words} <a href="${step}">Go to the step</a></dd>`;

const renderDone = (): string =>
  `<p role="status" data-waiting data-ready="Mailsweep is ready." data-gone="Mailsweep does not respond. Look at the terminal.">Mailsweep is starting again…</p>
    <p><a class="button" id="sign-in" hidden>Sign in</a></p>
    <h2>If something went wrong</h2>
    <dl>${[...ERRORS].map(toEntry).join('')}</dl>
    <p>Later, npm run setup opens these pages again.</p>`;

export const renderStep = (step: Step, values: Record<Copied, string>): string => {
  const index = GOOGLE_STEPS.indexOf(step);
  const [before, after] = [GOOGLE_STEPS[index - 1], index < 0 ? undefined : GOOGLE_STEPS[index + 1]];
  const copied = (step.copied ?? []).map(
    ({ label, value }) =>
      `<div class="copied"><span id="${value}">${label}</span><pre tabindex="0">${escapeHtml(values[value])}</pre><button type="button" data-copy="${escapeHtml(values[value])}" data-done="Copied" aria-describedby="${value}">Copy</button></div>`,
  );
  return renderDocument(
    step.title,
    `${index < 0 ? '' : `<p><progress max="${GOOGLE_STEPS.length}" value="${index + 1}" aria-hidden="true"></progress> Step ${index + 1} / ${GOOGLE_STEPS.length}</p>`}
    <h1>${step.title}</h1>
    ${step.console ? `<p><a class="button" href="${step.console.url}" target="_blank" rel="noreferrer"${step.key === 'project' ? '' : ' data-console'}>${step.console.button} ↗</a></p>` : ''}
    <ol>${step.tasks.map((task) => `<li>${task}</li>`).join('\n      ')}</ol>
    ${copied.join('\n    ')}
    ${step.form ? FORMS[step.form] : ''}
    ${step.key === 'done' ? renderDone() : ''}
    <nav>
      <a href="${before?.key ?? './'}">← Back</a>
      ${after && after.key !== 'done' ? `<a class="button" href="${after.key}">Done, next →</a>` : ''}
    </nav>`,
  );
};

/** The page of who has not the address, or comes by another. */
export const renderRefusal = (): string =>
  `<!doctype html><title>Mailsweep</title><p>Refused: open the address that the terminal shows.</p>`;
