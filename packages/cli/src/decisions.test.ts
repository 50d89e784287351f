import senderPage from '@mailsweep/contracts/fixtures/sender-page.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { ProblemResponse, serveContract, TOKEN } from './testing/contract-server.ts';
import { runProgram } from './testing/run-program.ts';
import {
  ACTIVITY,
  CLASSIFICATIONS,
  COMPLETED,
  GROUPS,
  MAILBOX,
  PLAN,
  PREFERENCES,
  QUEUED,
  REJECTED,
  RULE,
  RULE_FILE,
  RULES,
  RUNNING,
  SCAN,
  STORED,
  UNSUBSCRIBE,
  WATCH,
} from './testing/samples.ts';

const withToken = (api: string) => ({ MAILSWEEP_TOKEN: TOKEN, MAILSWEEP_API: api });
const listOf = <T>(...data: T[]) => ({ total: data.length, page: 1, perPage: 100, data });
const atTerminal = (api: string, input = '') => ({ env: withToken(api), isTerminal: true, input });

describe('home', () => {
  const serveHome = (scans = [SCAN.completed]) =>
    serveContract({
      getMailboxOverview: () => MAILBOX,
      listScans: () => listOf(...scans),
      listSuggestionGroups: () => CLASSIFICATIONS,
      getActivity: () => ACTIVITY,
      getWatch: () => WATCH.off,
    });

  it('says how the mailbox is, what can be cleaned up, and what was', async () => {
    const { api, calls } = await serveHome();
    const { exitCode, stdout } = await runProgram(['home'], { env: withToken(api) });
    expect(exitCode).toBe(0);
    const { total, unread } = MAILBOX.inbox;
    expect(stdout).toContain(
      `${total.toLocaleString('en-GB')} emails in the inbox, ${unread.toLocaleString('en-GB')} unread`,
    );
    for (const words of [
      'The last scan was completed',
      'The watch for new email is off',
      'can be cleaned up',
      'Cleaned so far',
    ])
      expect(stdout).toContain(words);
    expect(stdout).toContain(CLASSIFICATIONS.data[0]?.classification);
    expect(calls.find(({ id }) => id === 'listSuggestionGroups')?.query).toMatchObject({
      by: 'classification',
    });
  });

  it('says that a scan is missing, or in progress', async () => {
    const first = await serveHome([]);
    expect((await runProgram(['home'], { env: withToken(first.api) })).stdout).toContain('was never scanned');
    const { api } = await serveHome([SCAN.inFlight]);
    expect((await runProgram(['home'], { env: withToken(api) })).stdout).toContain('A scan is in progress');
  });

  it('is one document of JSON', async () => {
    const { api } = await serveHome();
    const { stdout } = await runProgram(['home', '--json'], { env: withToken(api) });
    const { page: _page, perPage: _perPage, ...suggestions } = CLASSIFICATIONS;
    expect(JSON.parse(stdout)).toEqual({
      mailbox: MAILBOX,
      scan: SCAN.completed,
      suggestions,
      cleaned: ACTIVITY.cleaned,
      watch: WATCH.off,
    });
  });
});

describe('the watch', () => {
  it('is shown, and turned on and off', async () => {
    let watch = WATCH.off;
    const { api, calls } = await serveContract({
      getWatch: () => watch,
      updatePreferences: ({ body }) => {
        watch = (body as { watch: { enabled: boolean } }).watch.enabled ? WATCH.on : WATCH.off;
        return PREFERENCES;
      },
    });
    expect((await runProgram(['watch'], { env: withToken(api) })).stdout).toContain('is off');
    expect((await runProgram(['watch', 'on'], { env: withToken(api) })).stdout).toContain(
      'looks for new email',
    );
    const off = await runProgram(['watch', 'off', '--json'], { env: withToken(api) });
    expect(JSON.parse(off.stdout)).toEqual(WATCH.off);
    expect(calls.filter(({ id }) => id === 'updatePreferences').map(({ body }) => body)).toEqual([
      { watch: { enabled: true } },
      { watch: { enabled: false } },
    ]);
  });

  it('says which scope it needs', async () => {
    const { api } = await serveContract({
      updatePreferences: () => {
        throw new ProblemResponse(403, 'insufficient_scope', 'This needs a token with the scope admin.');
      },
    });
    const { exitCode, stderr } = await runProgram(['watch', 'on'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('mailsweep login --scope admin')]);
  });
});

describe('rules', () => {
  const serveRules = () =>
    serveContract({
      listRules: () => RULES,
      previewRule: () => PLAN,
      cancelCleanup: () => ({ ...PLAN, state: 'cancelled' }),
      runCleanup: () => QUEUED,
      getCleanup: () => COMPLETED,
      updateRule: ({ body }) => ({ ...RULE, ...(body as object) }),
      getWatch: () => WATCH.off,
    });

  it('are listed', async () => {
    const { api } = await serveRules();
    const { stdout } = await runProgram(['rules'], { env: withToken(api) });
    expect(stdout).toContain(RULE.id);
    expect(stdout).toMatch(/on {2,}Archive/);
    const json = await runProgram(['rules', 'list', '--json'], { env: withToken(api) });
    expect(JSON.parse(json.stdout)).toEqual({ total: RULES.total, data: RULES.data });
  });

  it('are turned on only after the plan was shown and agreed to', async () => {
    const { api, calls } = await serveRules();
    const agreed = await runProgram(['rules', 'on', RULE.id], atTerminal(api, 'y\n'));
    expect(agreed.exitCode).toBe(0);
    expect(agreed.stdout).toContain('For example:');
    expect(agreed.stderr).toContain('mailsweep watch on');
    expect(calls.map(({ id }) => id)).toEqual(['previewRule', 'cancelCleanup', 'updateRule', 'getWatch']);

    const refused = await runProgram(['rules', 'on', RULE.id], atTerminal(api, 'n\n'));
    expect(refused.exitCode).toBe(4);
    expect(calls.slice(4).map(({ id }) => id)).toEqual(['previewRule', 'cancelCleanup']);
    expect((await runProgram(['rules', 'on', RULE.id], { env: withToken(api) })).exitCode).toBe(2);
  });

  it('are turned on and off by scripts', async () => {
    const { api, calls } = await serveRules();
    const on = await runProgram(['rules', 'on', RULE.id, '--yes', '--json'], { env: withToken(api) });
    expect(JSON.parse(on.stdout)).toMatchObject({ id: RULE.id, enabled: true });
    const off = await runProgram(['rules', 'off', RULE.id], { env: withToken(api) });
    expect(off.stdout).toBe('The rule is off.\n');
    expect(calls.map(({ body }) => body)).toEqual([{ enabled: true }, { enabled: false }]);
  });

  it('are exported to a file, and what it leaves out is named', async () => {
    const { api, calls } = await serveContract({ exportRules: () => RULE_FILE });
    const { stdout, stderr } = await runProgram(['rules', 'export', '--format', 'sieve'], {
      env: withToken(api),
    });
    expect(stdout).toBe(RULE_FILE.content);
    expect(stderr).toBe(`Left out: ${RULE_FILE.leftOut[0]?.ruleId} (age)\n`);
    const one = ['rules', 'export', RULE.id, '--format', 'gmail', '--json'];
    expect(JSON.parse((await runProgram(one, { env: withToken(api) })).stdout)).toEqual(RULE_FILE);
    expect(calls.map(({ query }) => query)).toEqual([
      { format: 'sieve' },
      { format: 'gmail', ruleId: RULE.id },
    ]);
    expect((await runProgram(['rules', 'export'], { env: withToken(api) })).exitCode).toBe(2);
  });

  it('run what their preview has shown', async () => {
    const { api, calls } = await serveRules();
    const { exitCode, stdout } = await runProgram(['rules', 'run', RULE.id], atTerminal(api, 'y\n'));
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Done: ')]);
    expect(calls.map(({ id }) => id)).toEqual(['previewRule', 'runCleanup', 'getCleanup']);
    const refused = await runProgram(['rules', 'run', RULE.id], atTerminal(api, '\n'));
    expect(refused.exitCode).toBe(4);
    expect((await runProgram(['rules', 'run', RULE.id], { env: withToken(api) })).exitCode).toBe(2);
  });
});

describe('unsubscribing', () => {
  const OFFER = { ...UNSUBSCRIBE.requested, state: null, at: null };
  const [sender] = senderPage.data;
  const address = 'joerg.kuehn@architekten.example';
  const serveSender = (offer: object = OFFER) =>
    serveContract({
      listSenders: () => senderPage,
      getUnsubscribe: () => offer,
      unsubscribe: () => UNSUBSCRIBE.requested,
    });

  it('asks first, and finds the sender by the address', async () => {
    const { api, calls } = await serveSender();
    const { exitCode, stdout, stderr } = await runProgram(['unsubscribe', address], atTerminal(api, 'y\n'));
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('on its way')]);
    expect(stderr).toContain(`Ask ${OFFER.host} to send you no more email as ${address}?`);
    expect(calls.map(({ id }) => id)).toEqual(['listSenders', 'getUnsubscribe', 'unsubscribe']);

    expect((await runProgram(['unsubscribe', address], atTerminal(api, 'n\n'))).exitCode).toBe(4);
    expect((await runProgram(['unsubscribe', address], { env: withToken(api) })).exitCode).toBe(2);
    expect(calls.filter(({ id }) => id === 'unsubscribe')).toHaveLength(1);
  });

  it('is JSON for scripts that have agreed', async () => {
    const { api } = await serveSender();
    const args = ['unsubscribe', sender?.id ?? '', '--yes', '--json'];
    const { stdout } = await runProgram(args, { env: withToken(api) });
    expect(JSON.parse(stdout)).toEqual(UNSUBSCRIBE.requested);
  });

  it.each([
    [UNSUBSCRIBE.manual, 'Only you can unsubscribe'],
    [{ ...OFFER, method: null, host: null }, 'No email of this sender offers'],
  ])('says what keeps it from being done', async (offer, words) => {
    const { api, calls } = await serveSender(offer);
    const { exitCode, stderr } = await runProgram(['unsubscribe', address, '--yes'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(calls.some(({ id }) => id === 'unsubscribe')).toBe(false);
  });

  it('unsubscribes from each sender of a group that offers it, and says which hosts are asked', async () => {
    const member = (digit: string, unsubscribe: object | null) => ({
      ...senderPage.data[0],
      id: digit.repeat(64),
      from: `News <${digit}@news.example>`,
      unsubscribe,
    });
    const members = [
      member('1', OFFER),
      member('2', OFFER),
      member('3', UNSUBSCRIBE.requested),
      member('4', null),
    ];
    const { api, calls } = await serveContract({
      listSenders: () => ({ ...senderPage, ...listOf(...members) }),
      unsubscribe: () => UNSUBSCRIBE.requested,
    });
    const { exitCode, stdout, stderr } = await runProgram(
      ['unsubscribe', 'f'.repeat(64)],
      atTerminal(api, 'y\n'),
    );
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`Ask 2 of 4 senders (${OFFER.host})`)]);
    expect(stdout).toMatch(/1@news.example.*requested/);
    expect(calls.map(({ id }) => id)).toEqual(['listSenders', 'unsubscribe', 'unsubscribe']);
  });

  it('fails when a sender of a group did not accept it, and names the others all the same', async () => {
    const member = (digit: string) => ({ ...senderPage.data[0], id: digit.repeat(64), unsubscribe: OFFER });
    let asked = 0;
    const { api } = await serveContract({
      listSenders: () => ({ ...senderPage, ...listOf(member('1'), member('2')) }),
      unsubscribe: () => {
        asked += 1;
        if (asked === 2) throw new ProblemResponse(409, 'unsubscribe_not_offered', 'Not offered any more.');
        return UNSUBSCRIBE.requested;
      },
    });
    const { exitCode, stdout, stderr } = await runProgram(
      ['unsubscribe', 'f'.repeat(64)],
      atTerminal(api, 'y\n'),
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('1 of 2 senders did not accept it.')]);
    expect(stdout).toMatch(/requested[\s\S]*unsubscribe not offered/);
  });
});

describe('a cleanup that was begun elsewhere', () => {
  const PAUSED = { ...RUNNING, state: 'paused' as const };
  const PAUSED_ID = '0197a3c4-0000-7e8f-9a0b-1c2d3e4f5a6b';
  const serveCleanups = (resumed: string[] = []) =>
    serveContract({
      listCleanups: () => listOf(COMPLETED, { ...PAUSED, id: PAUSED_ID }, RUNNING),
      resumeCleanup: ({ params }) => {
        resumed.push(params.id ?? '');
        return QUEUED;
      },
      getCleanup: () => COMPLETED,
    });

  it.each([
    [
      ['cleanup', 'follow'],
      ['listCleanups', 'getCleanup'],
    ],
    [
      ['cleanup', 'resume'],
      ['listCleanups', 'resumeCleanup', 'getCleanup'],
    ],
    [
      ['cleanup', 'resume', COMPLETED.id],
      ['getCleanup', 'resumeCleanup', 'getCleanup'],
    ],
  ])('is taken up: %j', async (args, ids) => {
    const { api, calls } = await serveCleanups();
    const { exitCode, stdout } = await runProgram(args, { env: withToken(api) });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Done: ')]);
    expect(calls.map(({ id }) => id)).toEqual(ids);
  });

  it('is the newest one that is paused, where none is named', async () => {
    const resumed: string[] = [];
    const { api } = await serveCleanups(resumed);
    await runProgram(['cleanup', 'resume'], { env: withToken(api) });
    expect(resumed).toEqual([PAUSED_ID]);
  });

  it('is said to be missing where there is none', async () => {
    const { api } = await serveContract({ listCleanups: () => listOf() });
    const { exitCode, stderr } = await runProgram(['cleanup', 'resume', '--json'], { env: withToken(api) });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'nothing_to_follow' } });
  });
});

describe('a review', () => {
  const [first] = GROUPS.data;
  const THREE = {
    ...GROUPS,
    data: [first, { ...first, key: 'b'.repeat(64) }, { ...first, key: 'c'.repeat(64) }],
  };
  const serveReview = () =>
    serveContract({
      listSuggestionGroups: () => THREE,
      createCleanup: () => PLAN,
      runCleanup: () => QUEUED,
      getCleanup: () => COMPLETED,
      listStoredSuggestions: () => ({ ...STORED, total: 1 }),
      confirmSuggestions: () => REJECTED,
    });

  /** Types an answer to each group as it is shown. */
  const reviewWith = (api: string, answers: string[], ...args: string[]) => {
    let shown = 0;
    let corrected = false;
    return runProgram(['review', ...args], {
      ...atTerminal(api),
      onMessage: (text, type) => {
        if (!corrected && text.includes('Type a, r, s, q:')) {
          corrected = true;
          type('\n');
        }
        if (!text.includes(`${shown + 1}/3`)) return;
        type(`${answers[shown]}\n`);
        shown += 1;
      },
    });
  };

  it('accepts, rejects and skips, group by group', async () => {
    const { api, calls } = await serveReview();
    const { exitCode, stdout } = await reviewWith(api, ['a', 'r', 's'], '--min-acceptance', '0.5');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('Groups: 1 accepted, 1 rejected, 1 skipped.'),
    ]);
    expect(calls.find(({ id }) => id === 'createCleanup')?.body).toMatchObject({
      action: 'accept',
      selection: { type: 'suggestions', sender: first?.key, minAcceptance: 0.5 },
    });
    expect(calls.find(({ id }) => id === 'listStoredSuggestions')?.query).toMatchObject({
      sender: 'b'.repeat(64),
      minAcceptance: 0.5,
    });
    expect(calls.find(({ id }) => id === 'confirmSuggestions')?.body).toMatchObject({
      emailIds: [STORED.data[0]?.id],
      action: 'reject',
    });
  });

  it('asks again for what is no answer, takes Enter for a skip, and ends when asked to', async () => {
    const { api, calls } = await serveReview();
    const { stdout } = await reviewWith(api, ['what?', 'q']);
    expect(stdout).toContain('Groups: 0 accepted, 0 rejected, 1 skipped.');
    expect(calls.map(({ id }) => id)).toEqual(['listSuggestionGroups']);
  });

  it('goes on after a group that failed, and says so at the end', async () => {
    const { api } = await serveContract({
      listSuggestionGroups: () => THREE,
      createCleanup: () => PLAN,
      runCleanup: () => QUEUED,
      getCleanup: () => ({ ...COMPLETED, failed: 2 }),
    });
    const { exitCode, stderr } = await reviewWith(api, ['a', 's', 's']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('1 group could not be done.')]);
  });

  it('has an event for each step in JSON, and takes a terminal in any case', async () => {
    const { api } = await serveReview();
    const { stdout } = await reviewWith(api, ['r', 's', 'q'], '--json');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(['reject', 'rejected', 'skip', 'finished']);
    for (const args of [['review'], ['review', '--json']])
      expect(await runProgram(args, { env: withToken(api) })).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
