import type { BehaviourChange, MailboxSeed } from '@mailsweep/google-sandbox';
import {
  ADA,
  CLIENT,
  openMailbox,
  startSandbox,
  toAuthorizationUrl,
} from '@mailsweep/google-sandbox/testing';
import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { createOidcProvider } from '@mailsweep/mail/provider-connection';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { type LiveCheckOptions, runLiveCheck } from '../run-live-check.ts';
import { signIn } from '../sign-in.ts';

/** A sandbox with real time, and a client whose redirect comes back to this machine. */
export const startSandboxWithOwner = async (mailbox: MailboxSeed, behaviour: BehaviourChange) => {
  const redirectUri = `http://127.0.0.1:${await findFreePort()}/auth/idp/callback`;
  const sandbox = await startSandbox([mailbox], {
    clients: [CLIENT, { ...CLIENT, clientId: 'live-check', redirectUris: [redirectUri] }],
    behaviour,
    nowMs: Date.now,
  });
  const { url } = sandbox;

  /** Signs the owner in as a browser does, from the address that a live check shows. */
  const comeBack = async (shown: URL, scope?: string): Promise<void> => {
    const query = new URLSearchParams(shown.searchParams);
    if (scope !== undefined) query.set('scope', scope);
    await fetch(await chooseAccount(toAuthorizationUrl(url, query), ADA.email));
  };

  const mailboxApi = await openMailbox(url);
  const listIds = async (query: string): Promise<string[]> =>
    ((await mailboxApi.get(`/messages?maxResults=500&${query}`)).messages ?? []).map(
      ({ id }: { id: string }) => id,
    );

  return {
    url,
    redirectUri,
    comeBack,
    mailbox: mailboxApi,
    /** Labels, the labels of all mail outside the trash, drafts, and how many messages are in the trash. */
    async readMailbox() {
      const messages = await Promise.all(
        (await listIds('')).map(async (id) => {
          const { labelIds = [] } = await mailboxApi.get(`/messages/${id}?format=minimal`);
          return { id, labelIds };
        }),
      );
      const { labels } = await mailboxApi.get('/labels');
      const { drafts = [] } = await mailboxApi.get('/drafts');
      return {
        labels: labels.map(({ name }: { name: string }) => name).toSorted(),
        messages: messages.toSorted((one, other) => one.id.localeCompare(other.id)),
        drafts,
        inTrash: (await listIds('labelIds=TRASH')).length,
      };
    },
    heal: () => fetch(`${url}/sandbox/faults`, { method: 'DELETE' }),
    /** Runs a live check in this process. */
    async check({
      untickedTimes = 0,
      ...more
    }: Partial<LiveCheckOptions> & {
      /** How often the owner signs in without ticking the box for Gmail. */
      untickedTimes?: number;
    } = {}) {
      let signIns = 0;
      const signal = more.signal ?? new AbortController().signal;
      const oidcProvider = createOidcProvider({
        issuer: url,
        clientId: 'live-check',
        clientSecret: CLIENT.clientSecret,
        redirectUri,
      });
      const signedIn = await signIn({
        oidcProvider,
        redirectUri,
        signal,
        show: (shown) => {
          signIns += 1;
          void comeBack(shown, signIns <= untickedTimes ? 'openid email profile' : undefined);
        },
        tellUnticked: () => undefined,
      });
      return await runLiveCheck({
        gmailUrl: url,
        ...signedIn,
        messages: 12,
        unitsPerMinute: 1_000_000,
        historyReadsMs: [0],
        ask: async () => undefined,
        tell: () => undefined,
        signal,
        ...more,
      });
    },
  };
};
