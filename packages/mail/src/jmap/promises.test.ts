import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { areSameLabels } from '@mailsweep/mail/mailbox';
import { createFakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import { describe, expect, it } from 'vitest';
import { createJmapMailbox } from './jmap-mailbox.ts';
import { listenToAccount } from './push/listen-to-account.ts';
import { PROFILES, SERVERS, type ServerName } from './testing/fake-jmap/profiles.ts';
import { PROMISES, toPromiseTable } from './testing/promises.ts';
import { act, setUpMailbox } from './testing/test-mailbox.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const ARCHIVE = { added: [], removed: ['INBOX'] };

/** Whether a promise holds at a server as its profile has it. */
const KEPT: Record<'deaths' | 'forgotten' | 'races' | 'push', (server: ServerName) => Promise<boolean>> = {
  async deaths(name) {
    const { mailbox, server, clock } = await setUpMailbox(PROFILES[name]);
    const { id } = server.deliver();
    const { historyId, labels } = await mailbox.readBaseline([id]);
    const requests = [{ id, ...ARCHIVE, before: labels.get(id) }];
    let isDead = false;
    server.intercept(({ methodCalls }) => {
      if (isDead) return { status: 503 };
      isDead = methodCalls?.[0]?.[0] === 'Email/set';
      return isDead ? 'lost' : undefined;
    });
    await mailbox.changeLabels(requests, historyId);
    server.intercept(() => undefined);
    const next = createJmapMailbox({
      server: { sessionUrl: server.sessionUrl },
      accessTokens: createFakeAccessTokens(),
      clock,
    });
    const [found] = await next.findChanges(requests, historyId);
    const sets = server.methodsCalled().filter(([method]) => method === 'Email/set');
    return sets.length === 1 && found?.status === 'ok' && found.change?.removed[0] === 'INBOX';
  },
  async forgotten(name) {
    const { mailbox, server } = await setUpMailbox(PROFILES[name]);
    const { id } = server.deliver();
    const { historyId, labels } = await mailbox.readBaseline([id]);
    server.expireChanges();
    const isTold = (await mailbox.readChangesSince(historyId)) !== undefined;
    const { labels: present } = await mailbox.readBaseline([id]);
    const [outcome] = await act(mailbox, [id], ARCHIVE);
    return !isTold && areSameLabels(present.get(id) ?? [], labels.get(id) ?? []) && outcome?.status === 'ok';
  },
  async races(name) {
    const { mailbox, server } = await setUpMailbox(PROFILES[name]);
    const { id: bills } = server.addMailbox({ name: 'Bills' });
    const email = server.deliver();
    let isFirst = true;
    server.beforeMethod((method) => {
      if (isFirst && method === 'Email/set') {
        isFirst = false;
        server.change(email.id, { 'mailboxIds/inbox': null, [`mailboxIds/${bills}`]: true });
      }
      return undefined;
    });
    await act(mailbox, [email.id], { added: ['TRASH'], removed: ['INBOX'] });
    return email.mailboxIds.size === 1 && email.mailboxIds.has(bills);
  },
  async push(name) {
    const { server } = await setUpMailbox(PROFILES[name]);
    const stopped = new AbortController();
    return await new Promise<boolean>((resolve, reject) => {
      listenToAccount({
        server: { sessionUrl: server.sessionUrl },
        accessTokens: createFakeAccessTokens(),
        signal: stopped.signal,
        onChange: () => resolve(true),
      }).then((end) => resolve(end !== 'unsupported'), reject);
    }).finally(() => stopped.abort());
  },
};

describe.each(Object.entries(KEPT))('the promise about %s', (key, isKept) => {
  const { proof } = PROMISES[key as keyof typeof KEPT];
  it.each(SERVERS.filter((name) => proof[name] !== 'unknown'))(
    'holds at %s as the table says',
    async (name) => {
      // Debian's Cyrus announces an event source that has nothing to tell (cyrus.test.ts).
      if (key === 'push' && name === 'Cyrus') return;
      expect(await isKept(name)).toBe(proof[name] !== 'not possible');
    },
  );
});

it('stands in the documentation as it is', () => {
  const document = readFileSync(join(REPOSITORY, 'docs/JMAP.md'), 'utf8');
  expect(document, 'run: node packages/mail/scripts/write-promises.ts').toContain(toPromiseTable());
});
