import { mailboxOf, message, orderFault } from '@mailsweep/google-sandbox/testing';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toMarkdown } from './report.ts';
import { startSandboxWithOwner } from './testing/sandbox-owner.ts';

const OWN_MAIL = mailboxOf(
  message('m1'),
  message('m2', { labels: ['INBOX', 'UNREAD', 'IMPORTANT'] }),
  message('m3', { labels: ['Label_1'] }),
);
OWN_MAIL.labels.push({ id: 'Label_1', name: 'Projects' });

describe('a live check', { timeout: 60_000 }, () => {
  it('finds what it expects where Gmail behaves as it is known to', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const report = await owner.check();

    expect(report.interrupted).toBeUndefined();
    expect(report.findings.filter(({ verdict }) => verdict !== 'same')).toEqual([]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ observed: 'added TRASH, removed nothing' }),
    );
  });

  it('reports a history that is late, and still finds out what changed', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, { historyDelayMs: 4_000 });
    const { findings } = await owner.check();

    expect(findings).toContainEqual(
      expect.objectContaining({ title: 'Changes that the history showed at once', verdict: 'different' }),
    );
  });

  it('leaves the mailbox as it was, but for its messages in the trash', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const { cleanUp } = await owner.check();

    expect(cleanUp).toEqual({ messages: 12, foreignMessages: 0 });
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toEqual({ labels: before.labels, messages: before.messages });
    expect(inTrash).toBe(12);
  });

  it('says nothing of the owner in its report', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const seen: string[] = [];
    const report = toMarkdown(await owner.check({ tell: (line) => void seen.push(line) }));

    for (const secret of [/@/, /\bm[123]\b/, /Label_/, /ya29/, /Subject/, /Projects/]) {
      expect(`${report}${seen.join()}`).not.toMatch(secret);
    }
  });

  it('changes nothing when Gmail takes no calls, and says why', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    await orderFault(owner.url, { kind: 'api_not_enabled', times: 100 });
    const report = await owner.check();

    expect(report.findings).toContainEqual(
      expect.objectContaining({ observed: expect.stringContaining('accessNotConfigured') }),
    );
    expect(report.interrupted).toBeDefined();
    await owner.heal();
    expect(await owner.readMailbox()).toEqual(before);
  });

  it('goes on after a check that does not work, and cleans up', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const { labels } = await owner.readMailbox();
    const tell = (line: string) =>
      line.startsWith('Archiving') &&
      void orderFault(owner.url, { kind: 'forbidden', path: '/profile$', method: 'GET', times: 1 });
    const { findings } = await owner.check({ tell });

    expect(findings.filter(({ verdict }) => verdict === 'failed')).toMatchObject([
      { title: 'Archiving all messages at once', observed: expect.stringContaining('403') },
    ]);
    expect(findings.map(({ title }) => title)).toContain('Undoing that: the labels are as before');
    expect((await owner.readMailbox()).labels).toEqual(labels);
  });

  it('cleans up when its owner ends it', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const ending = new AbortController();
    const tell = (line: string) => line.startsWith('Archiving') && ending.abort();
    const report = await owner.check({ tell, signal: ending.signal });

    expect(report.interrupted).toBe('ended by its owner');
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toMatchObject({ labels: before.labels, messages: before.messages });
    expect(inTrash).toBe(12);
  });

  it('says so when the box for Gmail was not ticked', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    await expect(owner.check({ scope: 'openid email profile' })).rejects.toThrow(
      'The box for Gmail was not ticked',
    );
  });

  it('says what to do when the place is taken where the browser comes back to', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const taken = await listenOnLoopback(() => undefined, Number(new URL(owner.redirectUri).port));
    onTestFinished(taken.close);

    await expect(owner.check()).rejects.toThrow(/stop what runs there, such as npm start/);
  });
});
