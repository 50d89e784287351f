import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openMailbox } from './testing/test-sandbox.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const CLIENTS = JSON.stringify([
  {
    clientId: 'test-client',
    clientSecret: 'test-secret',
    redirectUris: ['http://localhost:3000/auth/idp/callback'],
  },
]);

it('lists its options, and names one that it does not know', { timeout: 60_000 }, () => {
  const help = spawnSync(process.execPath, [MAIN, '--help'], { encoding: 'utf8' });
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('--accounts <address,address>') });
  const wrong = spawnSync(process.execPath, [MAIN, '--prot', '1'], { encoding: 'utf8' });
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining("'--prot'") });
  const misspelt = JSON.stringify([{ ...JSON.parse(CLIENTS)[0], nmae: 'Test' }]);
  const client = spawnSync(process.execPath, [MAIN, '--clients', misspelt], { encoding: 'utf8' });
  expect(client).toMatchObject({ status: 1, stderr: expect.stringContaining('SANDBOX_OAUTH_CLIENTS') });
});

it('serves the accounts that it is given, and behaves as configured', { timeout: 60_000 }, async () => {
  const port = await findFreePort();
  const words = ['--port', `${port}`, '--accounts', 'me@example.org', '--clients', CLIENTS];
  const child = spawn(process.execPath, [MAIN, ...words, '--behaviour', '{"flatEstimate":false}'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const mailbox = await openMailbox(`http://127.0.0.1:${port}`, 'me@example.org');
  expect((await mailbox.get('/profile')).emailAddress).toBe('me@example.org');
  const list = await mailbox.get('/messages?maxResults=1');
  expect(list.resultSizeEstimate).toBeGreaterThan(201);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
