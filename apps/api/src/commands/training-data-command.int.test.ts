import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type TrainingDecision, TrainingDecisionSchema } from '@mailsweep/contracts';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { createLogger } from '@mailsweep/service-kit';
import { readInherited } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEncryptionConfig } from '../config.ts';
import { type ApiClient, type ApiHarness, startApi } from '../testing/api-harness.ts';
import { runTrainingDataCommand } from './training-data-command.ts';

const CANARY = 'canary7f3a';
const ADDRESS = 'ada@example.com';
const mailOf = (id: string) => ({
  id: `${id}${CANARY}`,
  from: `Name ${CANARY} <${CANARY}-local@shop.example>`,
  subject: `Subject ${CANARY} of ${id}`,
  text: `Text ${CANARY}`,
});
const MAIL = ['one', 'two', 'three'].map(mailOf);
const idOf = (name: string) => `${name}${CANARY}`;
const SUGGESTION = { id: CANARY, action: 'archive', classification: 'bulk', confidence_score: 0.9 };

describe('the export of training data', () => {
  test('has nothing of users who have not enabled it', async () => {
    await decide(ada, 'one', 'accept');
    expect(await run()).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Exported 0 decisions of 0 users.'),
    });
  });

  test('has the decisions made while it was enabled, of that user alone', async () => {
    await decide(ada, 'one', 'accept');
    await choose({ enabled: true });
    await decide(ada, 'two', 'reject');
    await decide(ada, 'three', 'accept');
    await decide(grace, 'four', 'accept');
    const lines = await exportLines();

    expect(lines).toMatchObject([{ accepted: false }, { accepted: true }]);
    const { id: _, ...suggestion } = SUGGESTION;
    for (const line of lines) {
      expect(TrainingDecisionSchema.parse(line)).toEqual(line);
      expect(line).toMatchObject({ suggestion, reductions: { sender: 'domain', subject: 'omitted' } });
      expect(line.email).toMatchObject({ from: 'shop.example', subject: '', category: 'promotions' });
    }
    expect(new Set(lines.map(({ user }) => user)).size).toBe(1);
    expect(new Set(lines.map(({ email }) => email.id)).size).toBe(2);
    expect(await exportLines()).toEqual(lines);
    await api.testDatabase.query('UPDATE "CachedMessage" SET "encryptedText" = $1 WHERE "emailId" = $2', [
      'lost',
      idOf('two'),
    ]);
    expect((await run()).stderr).toContain('Left out 1 whose email is not cached any more.');
  });

  test('forgets with the choice, and with an undo', async () => {
    await choose({ enabled: true });
    const record = await decide(ada, 'one', 'accept');
    await decide(ada, 'two', 'reject');
    expect(await exportLines()).toHaveLength(2);
    await ada.post('/api/v1/notifications/history/undo', { ids: [record] }).expect(200);
    expect(await exportLines()).toMatchObject([{ accepted: false }]);
    await choose({ enabled: false });
    expect(await exportLines()).toEqual([]);
    await choose({ enabled: true });
    expect(await exportLines()).toEqual([]);
  });

  test.each([
    ['kept', 'kept', MAIL[0]?.from, MAIL[0]?.subject],
    ['domain', 'omitted', 'shop.example', ''],
    ['hashed', 'hashed', expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)],
  ])('has senders %s and subjects %s', async (sender, subject, from, words) => {
    await choose({ enabled: true, sender, subject });
    await decide(ada, 'one', 'accept');
    const [line] = await exportLines();
    expect(line).toMatchObject({ reductions: { sender, subject }, email: { from, subject: words } });
  });

  test('names nobody: no address, name, or id of user, provider or email', async () => {
    await choose({ enabled: true, sender: 'hashed', subject: 'hashed' });
    await decide(ada, 'one', 'accept');
    const { stdout, stderr } = await runProgram();
    const [user] = await api.testDatabase.query<{ providerSubject: string }>(
      'SELECT "providerSubject" FROM "User" WHERE "id" = $1',
      [ada.userId],
    );
    expect(stdout).not.toBe('');
    for (const secret of [CANARY, ADDRESS, ada.userId, user?.providerSubject ?? '', 'shop.example']) {
      expect(secret.length).toBeGreaterThan(5);
      expect(stdout + stderr).not.toContain(secret);
    }
    await choose({ sender: 'kept', subject: 'kept' });
    const [line] = await exportLines();
    const rest = { ...line, email: { ...line?.email, from: '', subject: '' } };
    expect(JSON.stringify(rest)).not.toContain(CANARY);
  });

  test('has other pseudonyms under another key', async () => {
    await choose({ enabled: true, sender: 'hashed', subject: 'hashed' });
    await decide(ada, 'one', 'accept');
    const [here] = await exportLines();
    const [there] = toLines(
      (
        await run({
          TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 99).toString('base64'),
          TOKEN_ENCRYPTION_KEY_PREVIOUS: api.env.TOKEN_ENCRYPTION_KEY ?? '',
        })
      ).stdout,
    );
    expect(there?.accepted).toBe(true);
    expect(there?.user).not.toBe(here?.user);
    for (const field of ['id', 'from', 'subject'] as const) {
      expect(there?.email[field]).not.toBe(here?.email[field]);
    }
  });

  test('has nothing of an erased user', async () => {
    await choose({ enabled: true });
    await decide(ada, 'one', 'accept');
    expect(await exportLines()).toHaveLength(1);
    await ada.delete('/api/v1/me', { confirm: ADDRESS }).expect(204);
    expect(await exportLines()).toEqual([]);
  });

  test('leaves out what does not fit the schema, and ends with code 1', async () => {
    await choose({ enabled: true });
    await decide(ada, 'one', 'accept');
    await decide(ada, 'two', 'accept');
    await api.testDatabase.query(
      `UPDATE "ActionHistory" SET "details" = jsonb_set("details", '{suggestions,0,confidence_score}', '7')
       WHERE "emailId" = $1`,
      [idOf('one')],
    );
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(toLines(stdout)).toHaveLength(1);
    expect(stderr).toContain('Left out 1 that do not fit the schema.');
  });

  test('goes through many pages, each decision once and in order', async () => {
    await choose({ enabled: true });
    await decide(ada, 'one', 'accept');
    await api.testDatabase.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details")
       SELECT gen_random_uuid(), "userId", "emailId", 'reject', "timestamp" + (number / 3) * interval '1 s', "details"
       FROM "ActionHistory", generate_series(1, 1203) AS number`,
    );
    const lines = await exportLines();
    expect(lines).toHaveLength(1204);
    const times = lines.map(({ decidedAt }) => decidedAt);
    expect(times).toEqual(times.toSorted());
  });

  test('goes into a file that only its owner reads, and never over another', async () => {
    await choose({ enabled: true });
    await decide(ada, 'one', 'accept');
    const folder = await mkdtemp(join(tmpdir(), 'training-data-'));
    try {
      const file = join(folder, 'decisions.jsonl');
      expect(await runProgram(file)).toMatchObject({ code: 0, stdout: '' });
      const written = await readFile(file, 'utf8');
      expect(toLines(written)).toHaveLength(1);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await decide(ada, 'two', 'accept');
      expect((await runProgram(file)).code).toBe(1);
      expect(await readFile(file, 'utf8')).toBe(written);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(await runProgram('--help')).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
  });
});

describe('the choice about training data', () => {
  test('is in the audit trail with what it is, and refuses other reductions', async () => {
    await choose({ sender: 'kept' });
    await choose({ enabled: true });
    await choose({ subject: 'hashed' });
    await choose({ enabled: true });
    await choose({ enabled: false });
    const { body } = await ada.get('/api/v1/me/audit').expect(200);
    const entries = body.data.filter(({ event }: { event: string }) => event.startsWith('training_data'));
    expect(entries).toMatchObject([
      { event: 'training_data_disabled', details: { sender: 'kept', subject: 'hashed' } },
      { event: 'training_data_changed', details: { sender: 'kept', subject: 'hashed' } },
      { event: 'training_data_enabled', details: { sender: 'kept', subject: 'omitted' } },
    ]);
    const refused = await ada.patch(PREFERENCES, { trainingData: { sender: 'omitted' } }).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ path: 'trainingData.sender' }] });
    const { body: preferences } = await ada.get(PREFERENCES).expect(200);
    expect(preferences.trainingData).toEqual({ enabled: false, sender: 'kept', subject: 'hashed' });
  });
});

const PREFERENCES = '/api/v1/me/preferences';
const choose = (trainingData: object) => ada.patch(PREFERENCES, { trainingData }).expect(200);

/** Decides about the suggestion of one email; returns the id of the history record. */
const decide = async (user: ApiClient, name: string, action: 'accept' | 'reject'): Promise<string> => {
  const request = { emailIds: [idOf(name)], action };
  const { body } = await user.post('/api/v1/notifications/confirm', request).expect(200);
  expect(body.data).toHaveLength(1);
  return body.data[0].id;
};

const toLines = (output: string): TrainingDecision[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const exportLines = async () => {
  const { code, stdout } = await run();
  expect(code).toBe(0);
  return toLines(stdout);
};

/** Runs the command as its program does. */
const run = async (changes: Record<string, string> = {}) => {
  const config = readEncryptionConfig({ ...api.env, ...changes });
  const keys = { current: config.TOKEN_ENCRYPTION_KEY, previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS };
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const code = await runTrainingDataCommand([], {
    database: api.testDatabase.database,
    keys,
    logger: createLogger({ service: 'training-data', level: 'info', destination: stderr }),
    stdout,
    say: (line) => void stderr.write(`${line}\n`),
  });
  stdout.end();
  stderr.end();
  const [written, told] = await output;
  return { code, stdout: written, stderr: told };
};

/** Runs the program. */
const runProgram = async (...args: string[]) => {
  const main = fileURLToPath(new URL('../training-data.ts', import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { env: { ...readInherited(), ...api.env } });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
};

let api: ApiHarness;
let ada: ApiClient;
let grace: ApiClient;
beforeEach(async () => {
  api = await startApi({ mail: { [ADDRESS]: MAIL, 'grace@example.com': [mailOf('four')] } });
  api.ml.behave(respondWithSuggestions([SUGGESTION]));
  [ada, grace] = [await api.signIn(ADDRESS), await api.signIn('grace@example.com')];
  // The second list follows the mailbox from a point whose history the sandbox has; the first one may not.
  for (const user of [ada, grace, ada, grace]) await user.get('/api/v1/suggestions').expect(200);
});
afterEach(() => api.close());
