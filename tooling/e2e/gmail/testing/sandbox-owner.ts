import type { BehaviourChange, MailboxSeed } from '@mailsweep/google-sandbox';
import { ADA, CLIENT, openMailbox, openSandbox, toAuthorizationUrl } from '@mailsweep/google-sandbox/testing';
import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { createOidcProvider } from '@mailsweep/mail/provider-connection';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { onTestFinished } from 'vitest';
import { signIn } from './sign-in.ts';

/** The client of the sandbox whose redirect comes back to this machine. */
export const LIVE_CLIENT = { ...CLIENT, clientId: 'live-check' };

/** A sandbox with real time, and the owner of a mailbox there. */
export const openSandboxOwner = async (seed: MailboxSeed, behaviour: BehaviourChange) => {
  const redirectUri = `http://127.0.0.1:${await findFreePort()}/auth/idp/callback`;
  const { url, close } = await openSandbox([seed], {
    clients: [CLIENT, { ...LIVE_CLIENT, redirectUris: [redirectUri] }],
    behaviour,
    nowMs: Date.now,
  });

  /** Signs the owner in as a browser does, from the address that they are shown. */
  const comeBack = async (shown: URL, scope?: string): Promise<void> => {
    const query = new URLSearchParams(shown.searchParams);
    if (scope !== undefined) query.set('scope', scope);
    await fetch(await chooseAccount(toAuthorizationUrl(url, query), ADA.email));
  };

  const mailbox = await openMailbox(url);
  const listIds = async (query: string): Promise<string[]> =>
    ((await mailbox.get(`/messages?maxResults=500&${query}`)).messages ?? []).map(
      ({ id }: { id: string }) => id,
    );

  return {
    url,
    close,
    redirectUri,
    comeBack,
    mailbox,
    /** Labels, the labels of all mail outside the trash, drafts, and how many messages are in the trash. */
    async readMailbox() {
      const messages = await Promise.all(
        (await listIds('')).map(async (id) => {
          const { labelIds = [] } = await mailbox.get(`/messages/${id}?format=minimal`);
          return { id, labelIds };
        }),
      );
      const { labels } = await mailbox.get('/labels');
      const { drafts = [] } = await mailbox.get('/drafts');
      return {
        labels: labels.map(({ name }: { name: string }) => name).toSorted(),
        messages: messages.toSorted((one, other) => one.id.localeCompare(other.id)),
        drafts,
        inTrash: (await listIds('labelIds=TRASH')).length,
      };
    },
    /** @param options.untickedTimes - how often the owner leaves the box for Gmail unticked before */
    async signIn({ untickedTimes = 0 }: { untickedTimes?: number } = {}) {
      let signIns = 0;
      const oidcProvider = createOidcProvider({
        issuer: url,
        clientId: LIVE_CLIENT.clientId,
        clientSecret: LIVE_CLIENT.clientSecret,
        redirectUri,
      });
      return await signIn({
        oidcProvider,
        redirectUri,
        signal: new AbortController().signal,
        show: (shown) => {
          signIns += 1;
          void comeBack(shown, signIns <= untickedTimes ? 'openid email profile' : undefined);
        },
        tellUnticked: () => undefined,
      });
    },
  };
};
export type SandboxOwner = Awaited<ReturnType<typeof openSandboxOwner>>;

/** The same for one test. */
export const startSandboxOwner = async (...given: Parameters<typeof openSandboxOwner>) => {
  const owner = await openSandboxOwner(...given);
  onTestFinished(owner.close);
  return owner;
};
