import { describe, expect, it, vi } from 'vitest';
import { ProblemError } from './api-errors.ts';
import { whileInFlight } from './in-flight.ts';

const toProblem = (status: number, code: string) =>
  new ProblemError({
    type: 'about:blank',
    title: '',
    status,
    detail: '',
    instance: '/',
    code,
    requestId: 'request-1',
  });
const inFlight = toProblem(409, 'idempotency_request_in_flight');

describe('a request of which an earlier attempt is still being carried out', () => {
  it('is sent again until that one has its response', async () => {
    const send = vi
      .fn()
      .mockRejectedValueOnce(inFlight)
      .mockRejectedValueOnce(inFlight)
      .mockResolvedValue('done');
    const waits: number[] = [];
    expect(await whileInFlight(send, async (delayMs) => waits.push(delayMs))).toBe('done');
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('is given up after a minute', async () => {
    const send = vi.fn().mockRejectedValue(inFlight);
    const waits: number[] = [];
    await expect(whileInFlight(send, async (delayMs) => waits.push(delayMs))).rejects.toBe(inFlight);
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(60_000);
  });

  it.each([
    ['another problem', toProblem(503, 'mailbox_busy')],
    ['no response', new Error('offline')],
  ])('is not sent again for %s: the user decides', async (_what, error) => {
    const send = vi.fn().mockRejectedValue(error);
    await expect(whileInFlight(send)).rejects.toBe(error);
    expect(send).toHaveBeenCalledTimes(1);
  });
});
