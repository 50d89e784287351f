import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { mailboxOf, message, orderFault } from '@mailsweep/google-sandbox/testing';
import { readInherited } from '@mailsweep/service-kit/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LIVE_CLIENT, type SandboxOwner, startSandboxOwner } from './testing/sandbox-owner.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
/** Of which one is in the inbox, and one has a label of the user. */
const OWN_MAIL = mailboxOf(message('m1'), message('m2', { labels: ['Label_1'] }));
OWN_MAIL.labels.push({ id: 'Label_1', name: 'Projects' });
/** What a run of 10 messages inserts. */
const INSERTED = 14;

/** Starts the command against a sandbox; its owner signs in as soon as it shows where. */
const startCommand = (owner: SandboxOwner, ...words: string[]) => {
  const child = spawn(process.execPath, [MAIN, '--yes', ...words], {
    env: {
      ...readInherited(),
      OAUTH_ISSUER: owner.url,
      OAUTH_CLIENT_ID: LIVE_CLIENT.clientId,
      OAUTH_CLIENT_SECRET: LIVE_CLIENT.clientSecret,
      OAUTH_REDIRECT_URI: owner.redirectUri,
      GMAIL_BASE_URL: owner.url,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'close');
  let output = '';
  const readers = new Set<() => void>();
  const read = (chunk: Buffer) => {
    output += stripVTControlCharacters(chunk.toString());
    for (const reader of readers) reader();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const saw = (words: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const reader = () => {
        const found = words.exec(output);
        if (found) resolve(found);
      };
      readers.add(reader);
      reader();
      void exited.then(() => reject(new Error(`The command ended without ${words}: ${output}`)));
    });
  const signedIn = saw(/^http\S+/m).then(([url]) => owner.comeBack(new URL(url)));
  return {
    child,
    saw,
    async end(): Promise<{ code: number | null; output: string }> {
      await signedIn;
      const [code] = await exited;
      return { code, output };
    },
  };
};

/** What does not hold at a sandbox that is the contrary of Gmail. */
const CONTRARY = {
  shortChangeResponses: false,
  flatEstimate: false,
  tokenAfterFullPage: false,
  opaquePageTokens: false,
  primaryIsPersonal: false,
  historyRecords: 'joined',
  historyBatchOrder: 'as_requested',
  draftChanges: 'accepted',
  labelDeletionInHistory: true,
} as const;
const NOT_HOLDING = [
  'messages > that were inserted are answered with id, labels and conversation alone',
  'a list > has page tokens of 20 digits, one after its end, and an estimate of 201',
  'a list > of category:primary has CATEGORY_PERSONAL alone',
  'batchModify > refuses a draft, and changes nothing',
  'a change of all messages > is answered with id, labels and conversation, where it is of one alone',
  'a change of all messages > is in the history soon, the last message first',
  'a change of all messages > to the trash has a record of TRASH, then one of INBOX',
  'a label > that is deleted leaves no history, and undo does without it',
];

describe('npm run live-check', { timeout: 300_000 }, () => {
  it('leaves the mailbox as it was, but for its messages in the trash', async () => {
    const owner = await startSandboxOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const { code, output } = await startCommand(owner, '--messages', '10').end();

    expect(output).toContain(`${INSERTED} messages moved to the trash, 0 drafts and 3 labels deleted.`);
    expect(code).toBe(0);
    expect(await owner.readMailbox()).toEqual({ ...before, inTrash: INSERTED });
  });

  it('names each expectation that does not hold, and nothing of the owner', async () => {
    const owner = await startSandboxOwner(OWN_MAIL, CONTRARY);
    const before = await owner.readMailbox();
    const { code, output } = await startCommand(owner, '--messages', '10').end();

    expect(code).toBe(1);
    const failed = [...output.matchAll(/^ FAIL .*?\.live\.test\.ts > (.*)$/gm)].map(([, title]) => title);
    expect([...new Set(failed)]).toEqual(NOT_HOLDING);
    for (const secret of [/ada@/i, /\bm[12]\b/, /Label_\w/, /ya29/, /Projects/]) {
      expect(output).not.toMatch(secret);
    }
    expect(await owner.readMailbox()).toEqual({ ...before, inTrash: INSERTED });
  });

  it('has what a killed run left taken away by the next, and nothing else', async () => {
    const owner = await startSandboxOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const killed = startCommand(owner, '--messages', '300');
    await killed.saw(/100 inserted/);
    killed.child.kill('SIGKILL');
    await killed.end();
    const { labels, messages } = await owner.readMailbox();
    expect(labels).toContain('Mailsweep live check');
    expect(messages.length).toBeGreaterThan(before.messages.length + 99);
    // The owner has put the label on a message of theirs.
    const { labels: all } = await owner.mailbox.get('/labels');
    const label = all.find(({ name }: { name: string }) => name === 'Mailsweep live check');
    await owner.mailbox.call('POST', '/messages/m1/modify', { addLabelIds: [label.id] });

    const { code, output } = await startCommand(owner, '--clean').end();
    expect(code).toBe(0);
    expect(output).toMatch(/\d{3} messages moved to the trash, 0 drafts and 0 labels deleted/);
    await owner.mailbox.call('POST', '/messages/m1/modify', { removeLabelIds: [label.id] });
    await startCommand(owner, '--clean').end();
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toEqual({ labels: before.labels, messages: before.messages, drafts: before.drafts });
    expect(inTrash).toBeGreaterThan(99);
  });

  it.each([
    ['it inserts messages', '1000', / 100 inserted/],
    ['tests run', '10', /✓ .*cold page/],
  ])('cleans up when it is asked to end while %s', async (_, messages, words) => {
    const owner = await startSandboxOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const command = startCommand(owner, '--messages', messages);
    await command.saw(words);
    command.child.kill('SIGINT');

    const { code, output } = await command.end();
    expect(output).toMatch(/messages moved to the trash/);
    expect(code).toBe(1);
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toMatchObject({ labels: before.labels, messages: before.messages, drafts: before.drafts });
    expect(inTrash).toBeGreaterThanOrEqual(INSERTED);
  });

  it('changes nothing when Gmail takes no calls, and says why', async () => {
    const owner = await startSandboxOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    await orderFault(owner.url, { kind: 'api_not_enabled', times: 100 });
    const { code, output } = await startCommand(owner, '--messages', '10').end();

    expect(code).toBe(1);
    expect(output).toContain('Gmail takes no calls: 403 accessNotConfigured');
    await fetch(`${owner.url}/sandbox/faults`, { method: 'DELETE' });
    expect(await owner.readMailbox()).toEqual(before);
  });

  it.each([
    [['--messages', '5'], /Usage:/],
    [['--fast'], /Usage:/],
  ])('refuses %j', async (words, text) => {
    const child = spawn(process.execPath, [MAIN, ...words], { env: {} });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(output).toMatch(text);
  });
});
