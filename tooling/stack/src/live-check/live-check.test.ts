import { BehaviourChangeSchema } from '@mailsweep/google-sandbox';
import { mailboxOf, message, orderFault } from '@mailsweep/google-sandbox/testing';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from './check.ts';
import { toMarkdown } from './run-live-check.ts';
import { startSandboxWithOwner } from './testing/sandbox-owner.ts';
import { DRAFT_SUBJECT, toDraft } from './workspace.ts';

const OWN_MAIL = mailboxOf(
  message('m1'),
  message('m2', { labels: ['INBOX', 'UNREAD', 'IMPORTANT'] }),
  message('m3', { labels: ['Label_1'] }),
);
OWN_MAIL.labels.push({ id: 'Label_1', name: 'Projects' });

const differing = (findings: readonly Finding[]): string[] =>
  findings.filter(({ verdict }) => verdict === 'different' || verdict === 'failed').map(({ id }) => id);

describe('a live check', { timeout: 60_000 }, () => {
  it.each([
    [
      'what is known of Gmail',
      {
        shortChangeResponses: true,
        flatEstimate: true,
        tokenAfterFullPage: true,
        opaquePageTokens: true,
        primaryIsPersonal: true,
        historyDelayMs: 1_000,
        historyIdLeadsRecords: true,
        historyRecords: 'added_first',
        historyBatchOrder: 'reversed',
        importanceFollowsChanges: true,
        historyEmptyPages: 1,
        draftChanges: 'refused',
        labelDeletionInHistory: false,
      } as const,
      // What the sandbox does not do.
      ['batch-malformed-id'],
    ],
    [
      'the contrary',
      {
        shortChangeResponses: false,
        flatEstimate: false,
        tokenAfterFullPage: false,
        opaquePageTokens: false,
        primaryIsPersonal: false,
        historyDelayMs: 1_000,
        historyIdLeadsRecords: false,
        historyRecords: 'joined',
        historyBatchOrder: 'as_requested',
        importanceFollowsChanges: false,
        historyEmptyPages: 0,
        draftChanges: 'accepted',
        labelDeletionInHistory: true,
      } as const,
      [
        'batch-malformed-id',
        'insert-response',
        'full-page-token',
        'estimate',
        'page-token',
        'category-primary',
        'batch-draft',
        'modify-response',
        'history-order',
        'trash-records',
        'label-deletion-history',
      ],
    ],
  ])('reports settings that reproduce %s', async (_, behaviour, expected) => {
    // Between two reads of the history, the later of which is reported.
    const owner = await startSandboxWithOwner(OWN_MAIL, { ...behaviour, historyDelayMs: 700 });
    const report = await owner.check({ historyReadsMs: [0, 1_000, 2_000] });

    expect(report.interrupted).toBeUndefined();
    expect(report.behaviour).toEqual(behaviour);
    expect(differing(report.findings).toSorted()).toEqual(expected.toSorted());
  });

  it('leaves the mailbox as it was, but for its messages in the trash', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const { cleanUp } = await owner.check();

    expect(cleanUp).toEqual({ messages: 16, drafts: 0, labels: 3, foreignMessages: 0 });
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toEqual({ labels: before.labels, messages: before.messages, drafts: before.drafts });
    expect(inTrash).toBe(16);
  });

  it('says nothing of the owner in its report', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const seen: string[] = [];
    const report = toMarkdown(await owner.check({ tell: (line) => void seen.push(line) }));

    const [, settings = ''] = /SANDBOX_BEHAVIOUR='(.*)'/.exec(report) ?? [];
    expect(BehaviourChangeSchema.parse(JSON.parse(settings))).toHaveProperty('historyRecords');
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
      expect.objectContaining({
        id: 'api-enabled',
        observed: '403 accessNotConfigured',
        verdict: 'different',
      }),
    );
    expect(report.interrupted).toBeDefined();
    await owner.heal();
    expect(await owner.readMailbox()).toEqual(before);
  });

  it('goes on after a check that does not work, and cleans up', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const { labels } = await owner.readMailbox();
    await orderFault(owner.url, { kind: 'forbidden', path: '/drafts$', method: 'POST', times: 1 });
    const { findings } = await owner.check();

    expect(findings.filter(({ verdict }) => verdict === 'failed')).toMatchObject([
      { title: 'Odd messages in a batch', observed: expect.stringContaining('403') },
    ]);
    expect(findings.map(({ id }) => id)).toContain('label-conflict');
    expect((await owner.readMailbox()).labels).toEqual(labels);
  });

  it('cleans up when its owner ends it', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const ending = new AbortController();
    const tell = (line: string) => line === 'Changing messages' && ending.abort();
    const report = await owner.check({ tell, signal: ending.signal });

    expect(report.interrupted).toBe('ended by its owner');
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toMatchObject({ labels: before.labels, messages: before.messages, drafts: before.drafts });
    expect(inTrash).toBe(16);
  });

  it('lets its owner tick the box for Gmail at another sign-in, and asks what only they can see', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const { findings, behaviour } = await owner.check({
      untickedTimes: 1,
      ask: async (question) => question.includes('ticked'),
    });

    expect(findings).toContainEqual(
      expect.objectContaining({ id: 'unticked-box', observed: 'tokens without the scope', verdict: 'same' }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ id: 'box-ticked', verdict: 'different' }));
    expect(behaviour).toMatchObject({ mailBoxTicked: true });
    await expect(owner.check({ untickedTimes: 3 })).rejects.toThrow('The box for Gmail was not ticked.');
  });

  it('deletes the draft of a run that was killed, and none of its owner', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const foreign = Buffer.from(`From: Ada <ada@example.com>\r\nSubject: ${DRAFT_SUBJECT}\r\n\r\nMine`);
    for (const raw of [toDraft(), foreign.toString('base64url')]) {
      await owner.mailbox.call('POST', '/drafts', { message: { raw } });
    }
    await owner.check();

    expect((await owner.readMailbox()).drafts).toHaveLength(1);
  });

  it('says what to do when the place is taken where the browser comes back to', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const taken = await listenOnLoopback(() => undefined, Number(new URL(owner.redirectUri).port));
    onTestFinished(taken.close);

    await expect(owner.check()).rejects.toThrow(/stop what runs there, such as npm start/);
  });
});
