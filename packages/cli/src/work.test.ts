import senderPage from '@mailsweep/contracts/fixtures/sender-page.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { serveContract, TOKEN } from './testing/contract-server.ts';
import { runProgram } from './testing/run-program.ts';
import { BATCH, COMPLETED, PLAN, QUEUED, RUNNING, SCAN } from './testing/samples.ts';

const withToken = (api: string) => ({ MAILSWEEP_TOKEN: TOKEN, MAILSWEEP_API: api });
const linesOf = (text: string): { event: string }[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string });

/** Returns one state after the other, then the last one for good. */
const inTurn = <T>(...states: T[]) => {
  let calls = 0;
  return (): T => states[Math.min(calls++, states.length - 1)] as T;
};

/** An API with a cleanup from its plan to its end. */
const serveCleanup = (plan = PLAN, ...states: (typeof RUNNING)[]) =>
  serveContract({
    createCleanup: () => plan,
    cancelCleanup: () => ({ ...plan, state: 'cancelled' }),
    runCleanup: () => QUEUED,
    getCleanup: inTurn(...(states.length > 0 ? states : [RUNNING, COMPLETED])),
    listSenders: () => senderPage,
  });

/** Ends what a program follows, as Ctrl-C does, once this is on stderr. */
const interruptAt = (text: string) => {
  const controller = new AbortController();
  const onMessage = (all: string) => {
    if (all.includes(text)) controller.abort();
  };
  return { signal: controller.signal, onMessage };
};

describe('a scan', () => {
  it('is started and followed to its end, with progress on a terminal', async () => {
    const { api, calls } = await serveContract({
      startScan: () => SCAN.started,
      getScan: inTurn(SCAN.inFlight, SCAN.completed),
    });
    const scan = await runProgram(['scan', '--scope', 'inbox'], { env: withToken(api), isTerminal: true });
    expect(scan.exitCode).toBe(0);
    expect(scan.stderr).toContain('1,200 of 15,300, 310 with suggestions, about 16 min left');
    expect(scan.stdout).toContain('15,300 emails scanned, 4,020 with suggestions');
    expect(calls[0]).toMatchObject({ id: 'startScan', body: { scope: 'inbox' } });
  });

  it('is one line of JSON for each change', async () => {
    const { api } = await serveContract({
      startScan: () => SCAN.inFlight,
      getScan: inTurn(SCAN.inFlight, SCAN.completed),
    });
    const { exitCode, stdout, stderr } = await runProgram(['scan', '--json'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(linesOf(stdout)).toEqual([
      { event: 'progress', scan: SCAN.inFlight },
      { event: 'finished', scan: SCAN.completed },
    ]);
  });

  it('that is in progress is followed', async () => {
    const { api } = await serveContract({ startScan: () => SCAN.inFlight, getScan: () => SCAN.completed });
    const { stderr } = await runProgram(['scan'], { env: withToken(api) });
    expect(stderr).toBe('A scan is in progress; this follows it.\n');
  });

  it('goes on after Ctrl-C, which is said', async () => {
    const { api, calls } = await serveContract({
      startScan: () => SCAN.started,
      getScan: () => SCAN.inFlight,
    });
    const interruption = interruptAt('1,200 of 15,300');
    const { exitCode, stderr } = await runProgram(['scan'], {
      env: withToken(api),
      isTerminal: true,
      ...interruption,
    });
    expect(exitCode).toBe(130);
    expect(stderr).toContain('The scan goes on on the server.');
    expect(calls.map(({ id }) => id)).not.toContain('cancelScan');
  });

  it('that fails ends with 1 and the reason', async () => {
    const failed = { ...SCAN.completed, state: 'failed', error: 'timed_out' };
    const { api } = await serveContract({ startScan: () => SCAN.started, getScan: () => failed });
    const { exitCode, stderr } = await runProgram(['scan'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([1, 'Error: The scan failed: it took too long.\n']);
  });
});

describe('a cleanup', () => {
  const ARGS = ['cleanup', 'archive', '--category', 'promotions', '--older-than', '30'];

  it('shows its plan, asks, and shows what came of it', async () => {
    const { api, calls } = await serveCleanup();
    const cleanup = await runProgram(ARGS, { env: withToken(api), isTerminal: true, input: 'y\n' });
    expect(cleanup.exitCode).toBe(0);
    expect(cleanup.stdout).toContain('Archive 3,362 emails');
    expect(cleanup.stdout).toContain('Left out: 4 starred, 11 in conversations that you have written in.');
    expect(cleanup.stdout).toContain('Only today: 40 % off');
    expect(cleanup.stderr).toContain('Archive 3,362 emails? [y/N]');
    expect(cleanup.stderr).toContain('2,000 of 3,362');
    expect(cleanup.stdout).toContain('3,359 emails archived, 3 left alone');
    expect(cleanup.stdout).toContain(`mailsweep undo ${PLAN.batchId}`);
    expect(calls[0]?.body).toEqual({
      action: 'archive',
      selection: { type: 'filter', scope: 'inbox', category: 'promotions', olderThan: 30, except: [] },
    });
  });

  it.each(['n\n', '\n', 'yesterday\n'])('is not run after the answer %j', async (input) => {
    const { api, calls } = await serveCleanup();
    const { exitCode, stderr } = await runProgram(ARGS, { env: withToken(api), isTerminal: true, input });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('Nothing was changed.')]);
    expect(calls.map(({ id }) => id)).toEqual(['createCleanup', 'cancelCleanup']);
  });

  it('runs without a question with --yes, as lines of JSON', async () => {
    const { api } = await serveCleanup();
    const { exitCode, stdout, stderr } = await runProgram([...ARGS, '--yes', '--json'], {
      env: withToken(api),
    });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(linesOf(stdout)).toEqual([
      { event: 'planned', cleanup: PLAN },
      { event: 'progress', cleanup: RUNNING },
      { event: 'finished', cleanup: COMPLETED },
    ]);
  });

  it('is only planned with --dry-run', async () => {
    const { api, calls } = await serveCleanup();
    const { exitCode, stdout } = await runProgram([...ARGS, '--dry-run'], { env: withToken(api) });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Archive 3,362 emails')]);
    expect(calls.map(({ id }) => id)).toEqual(['createCleanup', 'cancelCleanup']);
  });

  it('has subjects that send nothing to the terminal', async () => {
    const [sample] = PLAN.sample;
    const hostile = { ...sample, subject: '\u001b[2J\u001b[H\u009b8mYour\nbill' };
    const { api } = await serveCleanup({ ...PLAN, sample: [hostile] } as typeof PLAN);
    const { stdout } = await runProgram([...ARGS, '--dry-run'], { env: withToken(api) });
    expect(stdout).toContain('[2J[H8mYour bill');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('goes on after Ctrl-C, which is said', async () => {
    const { api, calls } = await serveCleanup(PLAN, RUNNING);
    const interruption = interruptAt('2,000 of 3,362');
    const { exitCode, stderr } = await runProgram([...ARGS, '--yes'], {
      env: withToken(api),
      isTerminal: true,
      ...interruption,
    });
    expect([exitCode, stderr]).toEqual([130, expect.stringContaining('The cleanup goes on on the server.')]);
    expect(calls.map(({ id }) => id)).not.toContain('cancelCleanup');
  });

  it('that is paused is not followed for good', async () => {
    const paused = { ...RUNNING, state: 'paused', error: 'reauth_required' } as const;
    const { api } = await serveCleanup(PLAN, RUNNING, paused);
    const { exitCode, stderr } = await runProgram([...ARGS, '--yes'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('paused (Gmail has to be connected again'),
    ]);
  });

  it('that its user has to confirm first is not followed, and ends with 4', async () => {
    const waiting = { ...PLAN, state: 'awaiting_confirmation', askedBy: 'Script' } as const;
    const { api } = await serveCleanup(PLAN, waiting);
    const { exitCode, stderr } = await runProgram([...ARGS, '--yes'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('Confirm the cleanup in the web app.')]);
  });

  it('with emails that failed ends with 1', async () => {
    const { api } = await serveCleanup(PLAN, { ...COMPLETED, failed: 2, changed: 3_357 });
    const { exitCode, stderr } = await runProgram([...ARGS, '--yes'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('2 failed')]);
  });

  it('of no email asks nothing', async () => {
    const { api, calls } = await serveCleanup({ ...PLAN, total: 0, sample: [] });
    const { exitCode, stderr } = await runProgram([...ARGS, '--yes'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([0, 'There is nothing to do.\n']);
    expect(calls.map(({ id }) => id)).not.toContain('runCleanup');
  });

  const YAMADA = senderPage.data[1]?.id;
  it.each([
    [['delete', '--sender', 'HANAKO@yamada.example'], { type: 'senders', senders: [YAMADA], except: [] }],
    [
      ['mark-read', '--sender', String(YAMADA), '--older-than', '7'],
      { type: 'senders', senders: [YAMADA], olderThan: 7, except: [] },
    ],
    [
      ['delete', '--sender', String(YAMADA), '--keep-newest', '3'],
      { type: 'senders', senders: [YAMADA], keepNewest: 3, except: [] },
    ],
    [
      ['delete', '--search', 'list:news.example.com', '--keep-newest', '3'],
      { type: 'filter', scope: 'inbox', search: 'list:news.example.com', keepNewest: 3, except: [] },
    ],
    [['accept', '--min-acceptance', '0.95'], { type: 'suggestions', minAcceptance: 0.95, except: [] }],
    [
      ['archive', '--suggestions', '--sender', 'hanako@yamada.example'],
      { type: 'suggestions', sender: YAMADA, except: [] },
    ],
    [
      ['label', '--label', 'Receipts', '--classification', 'receipt'],
      { type: 'suggestions', classification: 'receipt', except: [] },
    ],
    [
      ['archive', '--unread', '--scope', 'all', '--min-attachment', '5', '--search', 'has:attachment'],
      {
        type: 'filter',
        scope: 'all',
        unread: true,
        minAttachmentSize: 5,
        search: 'has:attachment',
        except: [],
      },
    ],
  ])('selects by %j', async (args, selection) => {
    const { api, calls } = await serveCleanup();
    const { exitCode } = await runProgram(['cleanup', ...args, '--dry-run'], { env: withToken(api) });
    expect(exitCode).toBe(0);
    expect(calls.find(({ id }) => id === 'createCleanup')?.body).toHaveProperty('selection', selection);
  });

  it.each([
    [['archive', '--yes']],
    [['explode', '--unread', '--yes']],
    [['archive', '--unread']],
    [['archive', '--unread', '--json']],
    [['archive', '--unread', '--yes', '--dry-run']],
    [['label', '--unread', '--yes']],
    [['archive', '--label', 'x', '--unread', '--yes']],
    [['archive', '--sender', 'a@example.com', '--category', 'social', '--yes']],
    [['accept', '--unread', '--yes']],
    [['archive', '--unread', '--keep-newest', '3', '--yes']],
    [['accept', '--sender', 'a@example.com', '--keep-newest', '3', '--yes']],
    [['archive', '--sender', 'a@example.com', '--keep-newest', '0', '--yes']],
  ])('is not planned by wrong options: %j', async (args) => {
    const { api, calls } = await serveCleanup();
    const { exitCode, stderr } = await runProgram(['cleanup', ...args], { env: withToken(api) });
    expect(exitCode).toBe(2);
    expect(stderr).not.toBe('');
    expect(calls).toEqual([]);
  });

  it('names a sender that is not there', async () => {
    const { api } = await serveCleanup();
    const args = ['cleanup', 'archive', '--sender', 'nobody@example.com', '--yes'];
    const { exitCode, stderr } = await runProgram(args, { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('nobody@example.com')]);
  });
});

describe('undo', () => {
  const UNDONE = { ...BATCH, undone: BATCH.total, undo: { state: 'done', failed: 0 } } as const;
  const serveUndo = (...states: object[]) => {
    const next = inTurn(...states);
    return serveContract({
      undoActionBatch: () => next(),
      listActionBatches: ({ query }) => {
        const batch =
          query.batch !== undefined && query.batch === BATCH.id && states.length > 1 ? next() : BATCH;
        return { total: 1, page: 1, perPage: 20, data: [batch] };
      },
    });
  };

  it('asks about the last batch, and follows what goes on in the background', async () => {
    const running = { ...BATCH, undone: 1_000, undo: { state: 'running', failed: 0 } };
    const { api, calls } = await serveUndo(running, UNDONE);
    const undo = await runProgram(['undo'], { env: withToken(api), isTerminal: true, input: 'yes\n' });
    expect(undo).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('4,200 emails') });
    expect(undo.stderr).toContain('Undo: 4,200 emails accepted');
    expect(undo.stderr).toContain('1,000 of 4,200');
    expect(calls.map(({ id }) => id)).toEqual(['listActionBatches', 'undoActionBatch', 'listActionBatches']);
    expect(calls[0]?.query).toMatchObject({ undoable: true, perPage: 1 });
  });

  it('changes nothing after a no', async () => {
    const { api, calls } = await serveUndo(UNDONE);
    const { exitCode } = await runProgram(['undo'], { env: withToken(api), isTerminal: true, input: 'no\n' });
    expect(exitCode).toBe(4);
    expect(calls.map(({ id }) => id)).toEqual(['listActionBatches']);
  });

  it('of a named batch asks nothing', async () => {
    const { api } = await serveUndo(UNDONE);
    const { exitCode, stdout } = await runProgram(['undo', BATCH.id, '--json'], { env: withToken(api) });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(UNDONE);
  });

  it('needs --yes where nobody can be asked, and an id that is one', async () => {
    const { api, calls } = await serveUndo(UNDONE);
    expect(await runProgram(['undo', 'nope'], { env: withToken(api) })).toMatchObject({ exitCode: 2 });
    expect(await runProgram(['undo'], { env: withToken(api) })).toMatchObject({ exitCode: 2 });
    expect(calls).toEqual([]);
    expect(await runProgram(['undo', '--yes'], { env: withToken(api) })).toMatchObject({ exitCode: 0 });
  });

  it('of nothing says so', async () => {
    const { api } = await serveContract({
      listActionBatches: () => ({ total: 0, page: 1, perPage: 1, data: [] }),
    });
    const { exitCode, stderr } = await runProgram(['undo', '--yes'], { env: withToken(api) });
    expect([exitCode, stderr]).toEqual([1, 'Error: There is nothing to undo.\n']);
  });
});
