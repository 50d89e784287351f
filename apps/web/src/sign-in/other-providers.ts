import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Provider } from '@mailsweep/contracts';

/** The app continues here after a sign-in. */
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

/** Whether the page adds a mailbox to those of the session. */
const isAdding = (): boolean => new URLSearchParams(window.location.search).get('add') === 'true';

/** A form with one field and a status line. */
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

/** Runs a form's action, once at a time. */
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

/** The domain of an address for the DNS, if it is one. */
export const toDomain = (address: string): string | undefined => {
  const domain = /^[^@\s]+@([^@\s/:?#]+)$/.exec(address.trim())?.[1];
  const url = `https://${domain}`;
  return domain !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;
};

/** Why a mailbox is not added: the sign-in page says what to do. */
const NOT_ADDED = ['mailbox_limit', 'mailbox_taken', 'recent_sign_in_required'];

/**
 * Offers the providers beside Google, and to find the one of an address.
 *
 * @param isFirst - whether they come before Google
 */
export const offerOtherProviders = (
  providers: readonly Provider[],
  origin: string,
  isFirst = false,
): void => {
  const section = create('section', { className: 'door-others' });

  // The token's form has its own address, so that Back leads to the providers.
  const toPath = ({ key, signIn }: Provider) =>
    `${signIn === 'token' ? '/sign-in' : `${origin}/auth/idp`}?provider=${encodeURIComponent(key)}${isAdding() ? '&add=true' : ''}`;

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
          body: JSON.stringify({ provider: key, token: input.value, ...(isAdding() && { add: true }) }),
        });
        if (response.ok && !isAdding()) return window.location.replace(CALLBACK_PATH);
        const body: { code?: string; detail?: string; mailbox?: number } = await response
          .json()
          .catch(() => ({}));
        if (response.ok) return window.location.replace(`${CALLBACK_PATH}?mailbox=${body.mailbox}`);
        const { code, detail = '' } = body;
        if (isAdding() && NOT_ADDED.includes(code ?? ''))
          return window.location.replace(`/sign-in?error=${code}&add=true`);
        if (code === 'provider_configuration')
          say(i18n._(msg`The operator of Mailsweep has to correct an address: ${{ detail }}`));
        else if (response.status === 400)
          say(i18n._(msg`${{ name }} does not accept this token for a mailbox.`));
        else if (response.status === 503)
          say(i18n._(msg`${{ name }} did not respond. Please try again in a moment.`));
        else say(i18n._(msg`Too many attempts. Please try again in a minute.`));
      },
      say,
    );
    section.replaceChildren(form);
    input.focus();
  };

  const toEntry = (provider: Provider, index: number): HTMLElement => {
    const { name } = provider;
    const words = i18n._(msg`Continue with ${{ name }}`);
    const className = isFirst && index === 0 ? 'door-button' : 'door-other';
    return create('a', { className, href: toPath(provider) }, words);
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
  if (isFirst) document.querySelector('.door-button')?.before(section);
  else (document.querySelector('.door-look') ?? document.querySelector('.door-hint'))?.after(section);
  const asked = new URLSearchParams(window.location.search).get('provider');
  const renewed = providers.find(({ key, signIn }) => key === asked && signIn === 'token');
  if (renewed !== undefined) askForToken(renewed);
};
