import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type Fault, SECRET, startFaultyService } from './testing/faulty-service.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

const run = async (words: string[], env: Record<string, string> = { INTERNAL_JWT_SECRET: SECRET }) => {
  const child = spawn(process.execPath, [MAIN, ...words], { env });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { out, err, code };
};

const start = async (faults: Fault[]) => {
  service = await startFaultyService(faults);
  return service.url;
};

describe('ml-conformance', () => {
  it('names clause, request, response and change, and ends with 1', async () => {
    const { out, code } = await run([await start(['percent as confidence'])]);
    expect(code).toBe(1);
    expect(out).toContain('clause:   response-suggestion: A suggestion has an action');
    expect(out).toMatch(/request: {2}\[\{"id":/);
    expect(out).toMatch(/response: 200 \[\{"id":/);
    expect(out).toContain('change:   send { "action": text');
    expect(out).toMatch(/The service does not conform: \d+ checks, \d+ errors, 0 warnings\.\n$/);
    expect(out).not.toContain(SECRET);
  });

  it('ends with 0 where the service conforms, with the secret from a file; writes JSON and JUnit', async () => {
    folder = mkdtempSync(join(tmpdir(), 'ml-conformance-'));
    const [secretFile, junitFile] = [join(folder, 'secret'), join(folder, 'junit.xml')];
    writeFileSync(secretFile, `${SECRET}\n`);
    const url = await start([]);
    const { out, code } = await run([url, '--json', '--secret-file', secretFile, '--junit', junitFile], {});
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({ url: `${url}/v1/suggest`, conforms: true });
    const junit = readFileSync(junitFile, 'utf8');
    expect(junit.match(/<testcase /g)).toHaveLength(report.results.length);
    expect(junit).toContain('failures="0"');
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['no address', [], { INTERNAL_JWT_SECRET: SECRET }, 'Give the address'],
    ['an unknown option', ['http://x', '--no-such'], { INTERNAL_JWT_SECRET: SECRET }, '--no-such'],
    ['no secret', ['http://127.0.0.1:9'], {}, 'INTERNAL_JWT_SECRET'],
  ])('ends with 2 and says how it is used: %s', async (_case, words, env, message) => {
    const { err, code } = await run(words, env);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain('Usage: ml-conformance URL');
  });

  it('ends with 2 where nothing listens', async () => {
    const url = await start([]);
    await service?.close();
    const { out, code } = await run([url]);
    expect(code).toBe(2);
    expect(out).toContain('no response (');
    expect(out).toContain('see whether the service runs at this address');
  });
});

let folder = '';
let service: Awaited<ReturnType<typeof startFaultyService>> | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});
