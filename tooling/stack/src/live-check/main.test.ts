import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLIENT, mailboxOf, message } from '@mailsweep/google-sandbox/testing';
import { readInherited } from '@mailsweep/service-kit/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startSandboxWithOwner } from './testing/sandbox-owner.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

type Owner = Awaited<ReturnType<typeof startSandboxWithOwner>>;

/** Starts the command against a sandbox; its owner signs in as soon as it shows where. */
const startCommand = (owner: Owner, words: string[]) => {
  const child = spawn(process.execPath, [MAIN, '--yes', ...words], {
    env: {
      ...readInherited(),
      OAUTH_ISSUER: owner.url,
      OAUTH_CLIENT_ID: 'live-check',
      OAUTH_CLIENT_SECRET: CLIENT.clientSecret,
      OAUTH_REDIRECT_URI: owner.redirectUri,
      GMAIL_BASE_URL: owner.url,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let output = '';
  const readers = new Set<() => void>();
  const read = (chunk: Buffer) => {
    output += chunk.toString();
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

const OWN_MAIL = mailboxOf(message('m1'), message('m2'));

describe('npm run live-check', { timeout: 60_000 }, () => {
  it('has what a killed run left taken away by the next, and nothing else', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const killed = startCommand(owner, ['--messages', '300']);
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

    const { code, output } = await startCommand(owner, ['--clean']).end();
    expect(code).toBe(0);
    expect(output).toMatch(/\d{3} messages moved to the trash, 0 drafts and 0 labels deleted/);
    await owner.mailbox.call('POST', '/messages/m1/modify', { removeLabelIds: [label.id] });
    await startCommand(owner, ['--clean']).end();
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toEqual({ labels: before.labels, messages: before.messages, drafts: before.drafts });
    expect(inTrash).toBeGreaterThan(99);
  });

  it('cleans up and writes its report when it is asked to end', async () => {
    const owner = await startSandboxWithOwner(OWN_MAIL, {});
    const before = await owner.readMailbox();
    const report = join(temporaryFolder(), 'report.md');
    const command = startCommand(owner, ['--messages', '10', '--report', report]);
    await command.saw(/Lists and searches/);
    command.child.kill('SIGINT');

    expect((await command.end()).code).toBe(1);
    expect(readFileSync(report, 'utf8')).toContain('**Not complete:** ended by its owner');
    const { inTrash, ...after } = await owner.readMailbox();
    expect(after).toMatchObject({ labels: before.labels, messages: before.messages });
    expect(inTrash).toBe(14);
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
