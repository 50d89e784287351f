import { type Behaviour, drip, hang, hangAfterHeaders } from '@mailsweep/ml-client/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { byForm, eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import {
  ADA,
  explainFailure,
  type FaultStack,
  startFaultStack,
  suggestArchive,
  type User,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { readResidentBytes } from './harness/resident-bytes.ts';

/** Longest response time while classification misbehaves, in milliseconds. */
const LONGEST_MS = 5_500;
const MEMORY_GROWTH_BYTES = 20 * 1024 * 1024;
const ROUNDS = byForm(1, 10);

const flood: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`"${'x'.repeat(10 * 1024 * 1024)}"`);
};

/** Faults that could make the API keep what it received, or what it waits for. */
const FAULTS: [name: string, behaviour: Behaviour][] = [
  ['responds with 10 MB', flood],
  ['drips', drip],
  ...byForm<[string, Behaviour][]>(
    [],
    [
      ['never responds', hang],
      ['hangs after its headers', hangAfterHeaders],
    ],
  ),
];

const row = openRow('R20');

describe('R20 while the classification service', () => {
  it.each(FAULTS)('%s, suggestions come in time and the memory stays', async (_name, behaviour) => {
    explainFailure(stack);
    await work();
    const before = readResidentBytes(stack.api.pid());
    stack.ml.behave(behaviour);
    for (let round = 0; round < ROUNDS; round += 1) {
      const reply = await ada.ask('/api/v1/suggestions');
      row.ran();
      row.responded(reply.tookMs);
      expect(reply).toMatchObject({ status: 200, body: { classified: false } });
      expect(reply.tookMs).toBeLessThan(LONGEST_MS + machineSlackMs());
    }
    expect(readResidentBytes(stack.api.pid()) - before).toBeLessThan(MEMORY_GROWTH_BYTES);
  });

  /** Heals classification, and waits until it is asked again. */
  const work = async () => {
    stack.ml.behave(suggestArchive);
    await eventually(
      async () => expect((await ada.ask('/api/v1/suggestions')).body).toMatchObject({ classified: true }),
      60_000,
    );
  };

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({ workers: 0, mail: { [ADA]: mails(5) } });
    ada = await stack.signIn();
  });
});
