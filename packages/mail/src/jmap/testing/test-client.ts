import { createFakeAccessTokens, type FakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import { createManualClock, type ManualClock } from '@mailsweep/service-kit/testing';
import { onTestFinished } from 'vitest';
import { createJmapClient, type JmapClient, type JmapClientOptions } from '../protocol/jmap-client.ts';
import { createJmapConnections } from '../protocol/jmap-connections.ts';
import { type FakeJmap, type FakeJmapOptions, startFakeJmap } from './fake-jmap/fake-jmap.ts';

export interface TestClient {
  client: JmapClient;
  server: FakeJmap;
  tokens: FakeAccessTokens;
  clock: ManualClock;
}

/** A client of a fake server of its own, on a clock by hand and without chance; gone when the test is over. */
export const setUpClient = async (
  content: FakeJmapOptions = {},
  options: Partial<JmapClientOptions> = {},
): Promise<TestClient> => {
  const server = await startFakeJmap(content);
  onTestFinished(server.close);
  const tokens = createFakeAccessTokens();
  const clock = createManualClock();
  const client = createJmapClient({
    server: { sessionUrl: server.sessionUrl },
    accessTokens: tokens,
    connection: createJmapConnections().of('user'),
    callTimeoutMs: 5_000,
    setTimeoutMs: 5_000,
    retryBudgetMs: 20_000,
    maxResponseBytes: 1_000_000,
    clock,
    random: () => 0,
    ...options,
  });
  return { client, server, tokens, clock };
};
