// The steps of the set-up, and what its checks say. Addresses and buttons of Google's console as in November 2026:
// - projectcreate: developers.google.com/workspace/guides/create-project
// - apis/library/gmail.googleapis.com: developers.google.com/workspace/gmail/api/quickstart/js ("Enable the API")
// - auth/overview, "Get started", and auth/audience: support.google.com/cloud/answer/15544987 and 15549945
// - auth/scopes, auth/clients/create, a secret shown once: public guides of 2026, such as
//   dev.to/curioustore_48788631d0e2e/google-cloud-oauth-consent-screen-oauth-client-id-2026-new-ui-2908
// - errors: developers.google.com/identity/protocols/oauth2/web-server ("Errors", "Authorization errors")

import texts from './texts.json' with { type: 'json' };

/** What a page has to copy: an address of this installation, or the scopes. */
export type Copied = 'origin' | 'redirectUri' | 'scopes';
export type StepKey = 'project' | 'api' | 'branding' | 'audience' | 'access' | 'client' | 'done' | 'jmap';

export interface Step {
  key: StepKey;
  title: string;
  /** The page of Google's console, and the text of its link. */
  console?: { url: string; button: string };
  /** HTML. */
  tasks: string[];
  copied?: { label: string; value: Copied }[];
  form?: 'project' | 'google' | 'jmap';
}

/** What the sign-in asks for (`openid`, `email` and `profile` by their names in the console), and what Just look needs. */
export const SCOPES = ['userinfo.email', 'userinfo.profile', 'gmail.modify', 'gmail.readonly']
  .map((name) => `https://www.googleapis.com/auth/${name}`)
  .join('\n');

/** The way to a client at Google, in its order. */
export const GOOGLE_STEPS = texts.google as readonly Step[];
export const JMAP_STEP = texts.jmap as Step;

/** What may go wrong, in plain words by its code at Google or on Mailsweep’s sign-in page, with the step that puts it right. */
export const ERRORS: ReadonlyMap<string, { words: string; step: StepKey }> = new Map(
  Object.entries(texts.errors).flatMap(([step, errors]) =>
    Object.entries(errors).map(([code, words]) => [code, { words, step: step as StepKey }]),
  ),
);

/** What checks say; `jmap` by the code of the error. `…` stands for what they found. */
export const WORDS: Omit<typeof texts.words, 'jmap'> & { jmap: Record<string, string> } = texts.words;
