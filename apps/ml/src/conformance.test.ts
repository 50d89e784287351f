import type { AddressInfo } from 'node:net';
import { checkService } from '@mailsweep/ml-conformance';
import { createLogger } from '@mailsweep/service-kit';
import { expect, it } from 'vitest';
import { createApp } from './app.ts';

it('the reference service keeps the whole contract', async () => {
  const secret = 'a secret that two services share, at least 32 bytes';
  const logger = createLogger({ service: 'ml', level: 'silent' });
  const server = createApp({ logger, tokenSecret: secret, now: () => new Date() }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const report = await checkService({ baseUrl: `http://127.0.0.1:${port}`, secret });
    expect(report.results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report.isComplete).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
