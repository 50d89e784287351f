import { text } from 'node:stream/consumers';
import { startHttpsServer } from '@mailsweep/service-kit/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JmapUser } from './jmap-users.ts';

export const AUTHSERV_ID = 'mx.own.example';

export interface ListServer {
  origin: string;
  certPath: string;
  received: { method: string | undefined; path: string | undefined; body: string }[];
  close(): Promise<void>;
}

/** The server of a mailing list, which takes requests to unsubscribe. */
export const startListServer = async (): Promise<ListServer> => {
  const received: ListServer['received'] = [];
  const server = await startHttpsServer(['localhost'], async (request, response) => {
    received.push({ method: request.method, path: request.url, body: await text(request) });
    response.end();
  });
  const { certPath } = server;
  return {
    origin: `https://localhost:${server.port}`,
    certPath,
    received,
    close: async () => void (await server.close()),
  };
};

const toNewsletter = (name: string, service: string, url: string) => ({
  'Authentication-Results': `${service}; dkim=pass header.i=@${name}.example header.s=s1 header.b=AbCdEfGh`,
  'DKIM-Signature': `v=1; a=rsa-sha256; d=${name}.example; s=s1; h=from:subject:list-unsubscribe:list-unsubscribe-post; bh=x=; b=AbCdEfGhIjKlMnOp==`,
  From: `News <news@${name}.example>`,
  Subject: 'Weekly',
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

export const describeUnsubscribing = (open: () => Promise<JmapUser>, listServer: () => ListServer) =>
  describe('unsubscribing', () => {
    test('takes one request where the operator’s server has found the signature to be good', async () => {
      const id = await openSender('good', AUTHSERV_ID);
      const offer = await user.client.getUnsubscribe({ params: { id } });
      expect(offer).toMatchObject({ method: 'one_click', state: null });
      await user.client.unsubscribe({ params: { id } });
      await expect
        .poll(() => user.client.getUnsubscribe({ params: { id } }))
        .toMatchObject({ state: 'accepted', status: 200 });
      expect(listServer().received).toEqual([
        { method: 'POST', path: '/good', body: 'List-Unsubscribe=One-Click' },
      ]);
    });

    test('is left to the user where another server says so', async () => {
      const id = await openSender('forged', 'mx.evil.example');
      expect(await user.client.unsubscribe({ params: { id } })).toMatchObject({
        method: 'manual',
        link: `${listServer().origin}/forged`,
        state: 'manual',
      });
      expect(listServer().received.map(({ path }) => path)).not.toContain('/forged');
    });

    const openSender = async (name: string, service: string) => {
      const emailId = await user.receive(toNewsletter(name, service, `${listServer().origin}/${name}`));
      await user.client.listEmails({});
      return (await user.client.getSenderOfEmail({ params: { id: emailId } })).id;
    };

    let user: JmapUser;
    beforeAll(async () => {
      user = await open();
    });
  });
