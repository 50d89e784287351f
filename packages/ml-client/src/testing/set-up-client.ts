import { MlRequestSchema } from '@mailsweep/contracts';
import requestFixture from '@mailsweep/contracts/fixtures/ml-request.json' with { type: 'json' };
import { onTestFinished, vi } from 'vitest';
import { createMlClient, type MlClientOptions } from '../create-ml-client.ts';
import { type Behaviour, inTurn, startClassificationStandIn } from './classification-stand-in.ts';

export const tokenSecret = 'a secret that two services share, at least 32 bytes';
/** The emails of the shared fixtures. */
export const items = MlRequestSchema.parse(requestFixture);
export const context = { userId: 'user-1', requestId: 'request-1' };
const useRandom = (value: number): void => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(value);
  onTestFinished(() => random.mockRestore());
};
/** Makes the backoff of the test the shortest: 100 ms, then 200 ms. */
export const useShortestBackoff = (): void => useRandom(0);
/** Makes it the longest: 200 ms, then 400 ms. */
export const useLongestBackoff = (): void => useRandom(1);

/** A client and the local service it asks, which is closed after the test. */
export const setUpClient = async (
  behaviours: [Behaviour, ...Behaviour[]],
  options: Partial<MlClientOptions> = {},
) => {
  useShortestBackoff();
  const service = await startClassificationStandIn(inTurn(...behaviours));
  onTestFinished(service.close);
  return { service, client: createMlClient({ baseUrl: service.url, tokenSecret, ...options }) };
};
