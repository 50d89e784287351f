import type { Delivery } from './deliveries.ts';

const REFRESH_SECONDS = 5;

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  article { border: 1px solid #8884; border-radius: 8px; padding: 0.75rem 1rem; margin: 1rem 0; }
  header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; }
  pre { overflow-x: auto; margin: 0.5rem 0 0; }
  .forged { color: #c62828; }
`;

const toArticle = ({ receivedAt, id, signature, status, body }: Delivery): string => `
  <article>
    <header>
      <time datetime="${escapeHtml(receivedAt)}">${escapeHtml(receivedAt)}</time>
      <span>${escapeHtml(id ?? 'without an id')}</span>
      <span class="${signature}">signature ${signature}</span>
      <span>${status === null ? 'no response' : `status ${status}`}</span>
    </header>
    <pre>${escapeHtml(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}</pre>
  </article>`;

/** The page that lists what a workflow service would have got, newest first; it refreshes itself. */
export const renderInboxPage = (deliveries: readonly Delivery[]): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="refresh" content="${REFRESH_SECONDS}">
  <title>Webhook inbox</title>
  <style>${STYLE}</style>
</head>
<body>
  <h1>Webhook inbox</h1>
  <p>What a workflow service would get from Mailsweep. The last ${deliveries.length} deliveries, newest first.</p>
  ${deliveries.length === 0 ? '<p>Nothing yet: ask for suggestions, and an event arrives here.</p>' : ''}
  ${deliveries.map(toArticle).join('')}
</body>
</html>
`;
