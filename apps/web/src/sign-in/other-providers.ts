import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Provider } from '@mailsweep/contracts';

/** Where the app goes on after a sign-in. */
const CALLBACK_PATH = '/auth/callback';

const create = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

/** A form with one field, and a line for what became of it. */
const createForm = (texts: { label: string; button: string }, field: Partial<HTMLInputElement>) => {
  const input = create('input', { required: true, ...field });
  const result = create('p', { className: 'door-hint' });
  result.setAttribute('role', 'status');
  const button = create('button', { type: 'submit', className: 'door-other' }, texts.button);
  const form = create(
    'form',
    { className: 'door-form' },
    create('label', {}, texts.label, input),
    button,
    result,
  );
  return { form, input, say: (words: string) => result.replaceChildren(words) };
};

/** Runs what a form is for, once at a time. */
const onSubmit = (form: HTMLFormElement, run: () => Promise<void>, say: (words: string) => void): void => {
  let isBusy = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    run()
      .catch(() => say(i18n._(msg`Mailsweep is not available right now. Please try again in a moment.`)))
      .finally(() => {
        isBusy = false;
      });
  });
};

/** The domain of an address as the DNS has it; undefined for what is no address. */
export const toDomain = (address: string): string | undefined => {
  const domain = /^[^@\s]+@([^@\s/:?#]+)$/.exec(address.trim())?.[1];
  const url = `https://${domain}`;
  return domain !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
};

/** Offers the providers beside Google: one by one, and the one that serves an address. */
export const offerOtherProviders = (providers: readonly Provider[], origin: string): void => {
  const place = document.querySelector('.door-hint');
  const section = create('section', { className: 'door-others' });

  // The form for a token is a page of its own, so that Back leads from it to the providers.
  const toPath = ({ key, signIn }: Provider) =>
    `${signIn === 'token' ? '/sign-in' : `${origin}/auth/idp`}?provider=${encodeURIComponent(key)}`;

  const askForToken = (provider: Provider): void => {
    const { key, name } = provider;
    const { form, input, say } = createForm(
      {
        label: i18n._(msg`Token of ${{ name }}`),
        button: i18n._(msg`Sign in`),
      },
      { type: 'password', autocomplete: 'off', spellcheck: false },
    );
    const hint = i18n._(
      msg`Make a token for JMAP that may read and change email, in the settings of ${{ name }}. Mailsweep stores it encrypted.`,
    );
    form.prepend(create('p', { className: 'door-hint' }, hint));
    onSubmit(
      form,
      async () => {
        const response = await fetch(`${origin}/auth/token`, {
          method: 'POST',
          credentials: 'include',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ provider: key, token: input.value }),
        });
        if (response.ok) return window.location.replace(CALLBACK_PATH);
        if (response.status === 400) say(i18n._(msg`${{ name }} does not accept this token for a mailbox.`));
        else if (response.status === 503)
          say(i18n._(msg`${{ name }} did not respond. Please try again in a moment.`));
        else say(i18n._(msg`Too many attempts. Please try again in a minute.`));
      },
      say,
    );
    section.replaceChildren(form);
    input.focus();
  };

  const toEntry = (provider: Provider): HTMLElement => {
    const { name } = provider;
    const words = i18n._(msg`Continue with ${{ name }}`);
    return create('a', { className: 'door-other', href: toPath(provider) }, words);
  };

  const search = createForm(
    { label: i18n._(msg`Or find yours by your email address`), button: i18n._(msg`Find`) },
    { type: 'email', autocomplete: 'email' },
  );
  onSubmit(
    search.form,
    async () => {
      const domain = toDomain(search.input.value);
      if (domain === undefined) return search.say(i18n._(msg`This is not an email address.`));
      const response = await fetch(`${origin}/api/v1/providers?domain=${encodeURIComponent(domain)}`);
      if (response.status === 429)
        return search.say(i18n._(msg`Too many attempts. Please try again in a minute.`));
      if (!response.ok && response.status !== 400) throw new Error(`status ${response.status}`);
      const [found] = response.ok ? ((await response.json()) as { data: Provider[] }).data : [];
      if (found !== undefined) return window.location.assign(toPath(found));
      search.say(i18n._(msg`None of these mail providers serves this address. Choose one above.`));
    },
    search.say,
  );

  section.append(...providers.map(toEntry), search.form);
  place?.after(section);
  const asked = new URLSearchParams(window.location.search).get('provider');
  const renewed = providers.find(({ key, signIn }) => key === asked && signIn === 'token');
  if (renewed !== undefined) askForToken(renewed);
};
