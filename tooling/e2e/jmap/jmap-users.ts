import { type ApiClient, createClient } from '@mailsweep/client';
import { type CyrusAccount, type CyrusServer, openCyrusAccount } from '@mailsweep/mail/jmap/testing';
import { expect } from 'vitest';
import type { LocalStack } from '../src/local-stack.ts';

/** A user of the product whose mailbox is at a JMAP server. */
export interface JmapUser {
  client: ApiClient;
  /** Another client of the mailbox, which speaks to the server alone. */
  account: CyrusAccount;
  /** Delivers a message as mail from elsewhere arrives; resolves with its id. */
  receive(headers: Record<string, string>, body?: string): Promise<string>;
  /** Where all emails are, to be compared. */
  readPlaces(): Promise<Record<string, { mailboxIds: string[]; keywords: string[] }>>;
  /** Mailboxes at the server: ids by the names with those of their parents before them. */
  readMailboxes(): Promise<Map<string, string>>;
  /** Signs in again, with a token that the server issues now. */
  signInAgain(): Promise<ApiClient>;
}

/** The server and the stack that a file has started. */
export interface JmapStack {
  cyrus: CyrusServer;
  stack: LocalStack;
}

export const PROVIDER = 'own';

const signIn = async ({ stack }: JmapStack, token: string): Promise<ApiClient> => {
  const response = await fetch(`${stack.api}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.web },
    body: JSON.stringify({ provider: PROVIDER, token }),
  });
  expect(response.status).toBeLessThan(300);
  const [, session = ''] = /session_token=([^;]+)/.exec(response.headers.getSetCookie().join('\n')) ?? [];
  return createClient({ baseUrl: stack.api, token: session });
};

interface MailboxRecord {
  id: string;
  name: string;
  parentId: string | null;
}

export const openUser = async (opened: JmapStack): Promise<JmapUser> => {
  const { cyrus } = opened;
  const account = await openCyrusAccount(cyrus);
  const signInAgain = () => signIn(opened, cyrus.tokenOf(account.user));
  const listIds = async () => new Set((await account.readAll()).keys());
  return {
    client: await signInAgain(),
    account,
    signInAgain,
    async receive(headers, body = 'hello') {
      const before = await listIds();
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      await cyrus.deliver(account.user, [...lines, '', body, ''].join('\r\n'));
      const [id = ''] = (await listIds()).difference(before);
      return id;
    },
    async readPlaces() {
      const places = [...(await account.readAll())].map(([id, { mailboxIds, keywords }]) => [
        id,
        { mailboxIds: [...mailboxIds].toSorted(), keywords: [...keywords].toSorted() },
      ]);
      return Object.fromEntries(places);
    },
    async readMailboxes() {
      const { list } = await account.call<{ list: MailboxRecord[] }>('Mailbox/get', { ids: null });
      const byId = new Map(list.map((mailbox) => [mailbox.id, mailbox]));
      const pathOf = ({ name, parentId }: MailboxRecord): string => {
        const parent = byId.get(parentId ?? '');
        return parent === undefined ? name : `${pathOf(parent)}/${name}`;
      };
      return new Map(list.map((mailbox) => [pathOf(mailbox), mailbox.id]));
    },
  };
};

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
