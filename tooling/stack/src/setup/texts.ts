// The steps of the set-up, and what its checks say. Addresses and buttons of Google's console as in November 2026:
// - projectcreate: developers.google.com/workspace/guides/create-project
// - apis/library/gmail.googleapis.com: developers.google.com/workspace/gmail/api/quickstart/js ("Enable the API")
// - auth/overview, "Get started", and auth/audience: support.google.com/cloud/answer/15544987 and 15549945
// - auth/scopes, auth/clients/create, a secret shown once: public guides of 2026, such as
//   dev.to/curioustore_48788631d0e2e/google-cloud-oauth-consent-screen-oauth-client-id-2026-new-ui-2908
// - errors: developers.google.com/identity/protocols/oauth2/web-server ("Errors", "Authorization errors")

const CONSOLE = 'https://console.cloud.google.com';

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
export const GOOGLE_STEPS: readonly Step[] = [
  {
    key: 'project',
    title: 'Create a project',
    console: { url: `${CONSOLE}/projectcreate`, button: 'Open “New project”' },
    tasks: [
      'Sign in with any Google account; it will own the project, and need not be the mailbox to clean.',
      'Type <b>Mailsweep</b> as the name, and click <b>Create</b>. It costs nothing, and needs no billing account.',
      'Wait for the notification, click <b>Select project</b>, and copy the address of the page. Paste it here: the next links then lead to your project.',
    ],
    form: 'project',
  },
  {
    key: 'api',
    title: 'Enable the Gmail API',
    console: { url: `${CONSOLE}/apis/library/gmail.googleapis.com`, button: 'Open “Gmail API”' },
    tasks: [
      'Check that your project’s name is at the top of the page; choose it there if not.',
      'Click <b>Enable</b>. If the page says <b>Manage</b>, it is enabled already.',
    ],
  },
  {
    key: 'branding',
    title: 'Describe the app',
    console: { url: `${CONSOLE}/auth/overview`, button: 'Open “Google Auth Platform”' },
    tasks: [
      'Click <b>Get started</b>. Without that button this is done already.',
      'App name: <b>Mailsweep</b>. User support email: your address.',
      'Audience: <b>External</b>; in a project of your Google Workspace <b>Internal</b>, which spares you the next step.',
      'Contact information: your address. Agree to the policy, and click <b>Create</b>.',
    ],
  },
  {
    key: 'audience',
    title: 'Let yourself in',
    console: { url: `${CONSOLE}/auth/audience`, button: 'Open “Audience”' },
    tasks: [
      'Under <b>Test users</b> click <b>Add users</b>, type the address of the mailbox to clean, and click <b>Save</b>. Others cannot sign in.',
      'If you like: <b>Publish app</b>. Google then no longer ends the connection every seven days. You need no verification: up to 100 people may use it, after a warning.',
    ],
  },
  {
    key: 'access',
    title: 'Choose what it may do',
    console: { url: `${CONSOLE}/auth/scopes`, button: 'Open “Data access”' },
    tasks: [
      'Click <b>Add or remove scopes</b>, and paste these lines under <b>Manually add scopes</b>.',
      'Click <b>Add to table</b>, <b>Update</b>, and at the end of the page <b>Save</b>.',
    ],
    copied: [{ label: 'Scopes', value: 'scopes' }],
  },
  {
    key: 'client',
    title: 'Create the client',
    console: { url: `${CONSOLE}/auth/clients/create`, button: 'Open “Create OAuth client ID”' },
    tasks: [
      'Application type: <b>Web application</b>.',
      'Under <b>Authorized redirect URIs</b> click <b>Add URI</b>, and paste the redirect URI exactly.',
      'Click <b>Create</b>, then <b>Download JSON</b>: Google shows the secret only now.',
      'Give the file to Mailsweep, which asks Google whether all is well before it saves anything.',
    ],
    copied: [
      { label: 'Redirect URI', value: 'redirectUri' },
      { label: 'JavaScript origin (may stay empty)', value: 'origin' },
    ],
    form: 'google',
  },
  {
    key: 'done',
    title: 'Sign in',
    tasks: [
      'Sign in with the address that you let in.',
      'Google warns that it has not verified the app, which is yours: click <b>Continue</b>, or <b>Advanced</b> and <b>Go to Mailsweep</b>.',
      '<b>Tick the box for Gmail</b>: it is empty at first.',
    ],
  },
];

export const JMAP_STEP: Step = {
  key: 'jmap',
  title: 'Connect a JMAP server',
  tasks: [
    'Make a token for JMAP that may read and change email. At Fastmail: <b>Settings → Privacy &amp; Security → Manage API tokens</b>, scope <b>Email</b>.',
    'Type the address of the server’s JMAP session, or the server’s name. Fastmail’s is <code>https://api.fastmail.com/jmap/session</code>.',
    'The token is tried now, and not saved: you sign in with it afterwards.',
  ],
  form: 'jmap',
};

/**
 * What may go wrong, in plain words by its code at Google or on Mailsweep’s sign-in page, below the step that puts it
 * right.
 */
const ERRORS_BY_STEP: Partial<Record<StepKey, Record<string, string>>> = {
  client: {
    unknown_client: 'Google knows no client with this ID. Copy it again.',
    invalid_client:
      'The secret is not of this client ID. Copy it again, or add another to the client in the console.',
    deleted_client: 'This client was deleted. Create another.',
    disabled_client: 'This client is disabled. Enable it in the console, or create another.',
    unauthorized_client: 'This client may not sign people in so. Create one of type Web application.',
    redirect_uri_mismatch:
      'The client has not Mailsweep’s redirect URI. Add it exactly as shown: http, localhost, the port, no slash at the end. Google may need some minutes.',
    provider_configuration: 'Google no longer accepts the client. Check it, and give it to Mailsweep again.',
    domain_policy:
      'The administrator of your Google Workspace has to trust the client: Admin console → Security → API controls. Google’s code: admin_policy_enforced.',
  },
  audience: {
    access_denied:
      'Error 403: your address is not among the test users. If you clicked Cancel, just sign in again.',
    org_internal: 'The app is Internal: only members of its Google Workspace can sign in. Make it External.',
    mail_service_disabled: 'This account has no Gmail. Let another in, and sign in with it.',
  },
  api: {
    gmail_api_disabled:
      'The Gmail API is not enabled in the client’s project. Enable it, wait some minutes, and sign in again. Google’s code: accessNotConfigured.',
  },
  done: {
    missing_scope: 'The box for Gmail was empty. Sign in again, and tick it.',
  },
};

/** The same by code. */
export const ERRORS: ReadonlyMap<string, { words: string; step: StepKey }> = new Map(
  Object.entries(ERRORS_BY_STEP).flatMap(([step, errors]) =>
    Object.entries(errors).map(([code, words]) => [code, { words, step: step as StepKey }]),
  ),
);

/** What checks say. `…` stands for what they found. */
export const WORDS = {
  noFile: 'This is not the JSON file of an OAuth client, which begins with {"web":….',
  desktop: 'This client is of type Desktop app. Create one of type Web application.',
  noSecret:
    'The file has no secret, because Google shows it only once. Add another to the client, and type it below.',
  badId: 'A client ID looks like 123456789012-abc123.apps.googleusercontent.com.',
  swapped: 'Client ID and secret are in each other’s place.',
  badSecret:
    'This is not a secret of Google’s: they have some 24 to 40 letters, digits, - and _, without spaces.',
  fileHas: 'The file has: …',
  otherError: 'Google answered: …',
  unreachable: 'Google cannot be reached from this machine. Check the connection, and try again.',
  restarting: 'Mailsweep is starting again. Try again in a moment.',
  overridden:
    '… is set in the environment of npm start, which goes before .env. Unset it there, and start again.',
  badAddress: 'This is not the https address of a JMAP session.',
  badProviders: 'JMAP_PROVIDERS in .env is malformed. Correct or remove that line, and try again.',
  /** By the code of the error. */
  jmap: {
    invalid_grant: 'The server does not take this token.',
    missing_scope: 'The server refuses the token its mail. Make one with the scope for email.',
    mail_service_disabled: 'This account has no mailbox.',
    provider_configuration: 'The server leads elsewhere: …. Type that address.',
    provider_unavailable: 'No JMAP session responds at …. Check the address.',
  } as Record<string, string>,
};
