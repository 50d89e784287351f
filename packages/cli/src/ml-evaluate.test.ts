import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeConfigFolder, runProgram } from './testing/run-program.ts';

const SECRET = 'a secret that two services share, at least 32 bytes';
const ENV = { INTERNAL_JWT_SECRET: SECRET };

interface Email {
  id: string;
  from: string;
}
type Answer = (emails: Email[], response: ServerResponse) => unknown;

/** A classification service of another team, and the tokens that it was given. */
const serve = async (answer: Answer) => {
  const tokens: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    tokens.push(request.headers.authorization);
    const body = answer((await json(request)) as Email[], response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens };
};

const suggest =
  (action: string): Answer =>
  (emails) =>
    emails.map(({ id }) => ({
      id,
      suggestions: [{ action, classification: 'bulk', confidence_score: 0.75 }],
    }));

const LINES = ['archive', 'archive', 'none', 'delete'].map((action, index) => ({
  email: {
    id: `m${index}`,
    from: 'Ada <ada@example.com>',
    subject: 'Lunch <b>today</b>?',
    date: '2026-01-05T08:00:00.000Z',
    isRead: true,
    category: 'primary',
    attachmentSizeMb: 0,
  },
  action,
  kind: 'personal',
}));

const writeFile = (name: string, text: string): string => {
  const file = join(makeConfigFolder(), name);
  writeFileSync(file, text);
  return file;
};
const writeEmails = (): string =>
  writeFile('emails.jsonl', LINES.map((line) => JSON.stringify(line)).join('\n'));

describe('mailsweep ml evaluate', () => {
  it('prints scores as tables', async () => {
    const { url, tokens } = await serve(suggest('archive'));
    const { exitCode, stdout, stderr } = await runProgram(
      ['ml', 'evaluate', url, '--emails', writeEmails()],
      {
        env: ENV,
      },
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(tokens).toEqual([expect.stringMatching(/^Bearer \S+$/)]);
    expect(stdout).toMatch(/^4 labelled emails\.$/m);
    expect(stdout).toMatch(/^Accuracy 0\.500, expected calibration error 0\.250$/m);
    expect(stdout).toMatch(/^archive +0\.500 +1\.000 +0\.667 +2 +4$/m);
    expect(stdout).toMatch(/^delete +– +0\.000 +0\.000 +1 +0$/m);
    expect(stdout).toMatch(/^bulk +0\.500 +– +– +– +4$/m);
    expect(stdout).toMatch(/^0\.7–0\.8 +4 +0\.750 +0\.500$/m);
    expect(stdout).toMatch(/^personal +2 +0$/m);
    expect(stdout).toMatch(/^archive +0\.750 +.*Lunch <b>today<\/b>\?/m);
  });

  it('compares two services as JSON and in an HTML file', async () => {
    const [first, second] = [await serve(suggest('archive')), await serve(suggest('delete'))];
    const page = join(makeConfigFolder(), 'report.html');
    const { exitCode, stdout } = await runProgram([
      ...['ml', 'evaluate', first.url, '--compare', second.url, '--emails', writeEmails()],
      ...['--html', page, '--json', '--secret-file', writeFile('secret', `${SECRET}\n`)],
    ]);
    expect(exitCode).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      emails: 4,
      services: [
        { url: first.url, actions: { accuracy: 0.5 } },
        { url: second.url, actions: { accuracy: 0.25 } },
      ],
    });
    expect(report.differences).toHaveLength(4);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('Where they differ');
    expect(html).toContain('Lunch &lt;b&gt;today&lt;/b&gt;?');
  });

  it('uses the labelled set where no file is named', async () => {
    const { url } = await serve(suggest('archive'));
    const { stdout } = await runProgram(['ml', 'evaluate', url, '--json'], { env: ENV });
    expect(JSON.parse(stdout)).toMatchObject({ emails: 945 });
  });

  it.each<[string, number, unknown, RegExp]>([
    ['refuses the token', 401, [], /INTERNAL_JWT_SECRET/],
    ['fails', 500, [], /status 500/],
    ['breaks the contract', 200, { result: 'all' }, /form that the contract does not know/],
  ])('ends with code 1 where the service %s', async (_fault, status, body, message) => {
    const { url } = await serve((_emails, response) => {
      response.statusCode = status;
      return body;
    });
    const { exitCode, stdout, stderr } = await runProgram(['ml', 'evaluate', url], { env: ENV });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('ends with code 1 where no service runs', async () => {
    const { exitCode, stderr } = await runProgram(['ml', 'evaluate', 'http://127.0.0.1:9'], { env: ENV });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('sent no response');
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['without a secret', ['http://127.0.0.1:9'], {}, /Set INTERNAL_JWT_SECRET/],
    ['with an address that is none', ['localhost:8000'], ENV, /no http address/],
    ['with a file that is not there', ['http://a.example', '--emails', '/nonexistent'], ENV, /ENOENT/],
    ['without an address', [], ENV, /missing required argument/],
  ])('is wrong usage %s', async (_case, words, env, message) => {
    const { exitCode, stderr } = await runProgram(['ml', 'evaluate', ...words], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('is wrong usage with a malformed line, which is named', async () => {
    const file = writeFile('emails.jsonl', '{"email": 1}');
    const words = ['ml', 'evaluate', 'http://127.0.0.1:9', '--emails', file];
    const { exitCode, stderr } = await runProgram(words, { env: ENV });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Line 1, email: ');
  });
});
