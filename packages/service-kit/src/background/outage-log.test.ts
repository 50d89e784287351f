import { expect, it } from 'vitest';
import { createRecordingLogger } from '../testing/index.ts';
import { createOutageLog } from './background-loop.ts';

it('logs one line when an outage begins and one when it ends, and does so for each outage', () => {
  const { logger, lines } = createRecordingLogger();
  const outageLog = createOutageLog(logger, 'the queue');
  outageLog.recovered();
  outageLog.failed(new Error('away'));
  outageLog.failed(new Error('still away'));
  outageLog.recovered();
  outageLog.recovered();
  outageLog.failed(new Error('away again'));
  expect(lines).toMatchObject([
    { level: 40, msg: 'the queue: unavailable, retrying', err: { message: 'away' } },
    { level: 30, msg: 'the queue: available again' },
    { level: 40, msg: 'the queue: unavailable, retrying', err: { message: 'away again' } },
  ]);
});
