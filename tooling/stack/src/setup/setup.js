// The script of the set-up's pages, in the browser.

const POLL_MS = 500;

// A reload, or the way to another step, loses nothing.
for (const field of document.querySelectorAll('[data-kept]')) {
  field.value = sessionStorage.getItem(field.name) ?? '';
  field.addEventListener('input', () => sessionStorage.setItem(field.name, field.value));
}

// Pages of the console show the project that their address names.
const typed = sessionStorage.getItem('project')?.trim() ?? '';
const project = /[?&]project=([\w-]+)/.exec(typed)?.[1] ?? typed;
for (const link of document.querySelectorAll('[data-console]'))
  if (/^[\w-]+$/.test(project)) link.href += `?project=${project}`;

for (const button of document.querySelectorAll('[data-copy]'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  });

document.querySelector('[type="file"]')?.addEventListener('change', async ({ target }) => {
  const text = document.querySelector('[name="file"]');
  text.value = (await target.files[0]?.text()) ?? '';
  text.dispatchEvent(new Event('input'));
});

const show = (result, faults) =>
  result.replaceChildren(
    ...faults.map((textContent) => Object.assign(document.createElement('p'), { textContent })),
  );

const send = async (form, result) => {
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const headers = { 'content-type': 'application/json' };
  const { faults } = await (await fetch(form.action, { method: 'POST', headers, body })).json();
  show(result, faults);
  if (faults.length > 0) return;
  sessionStorage.clear();
  location.assign('done');
};

for (const form of document.forms)
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    const result = form.querySelector('[role="status"]');
    if (result === null || button.disabled) return;
    const label = button.textContent;
    Object.assign(button, { disabled: true, textContent: button.dataset.busy });
    await send(form, result).catch(() => show(result, [result.dataset.gone]));
    Object.assign(button, { disabled: false, textContent: label });
  });

const waiting = document.querySelector('[data-waiting]');
const poll = async () => {
  try {
    const { signInUrl } = await (await fetch('state')).json();
    if (signInUrl !== null) {
      waiting.textContent = waiting.dataset.ready;
      Object.assign(document.querySelector('#sign-in'), { href: signInUrl, hidden: false });
      return;
    }
  } catch {
    // The pages outlive a restart of the stack, but not its process.
    waiting.textContent = waiting.dataset.gone;
  }
  setTimeout(poll, POLL_MS);
};
if (waiting) void poll();
