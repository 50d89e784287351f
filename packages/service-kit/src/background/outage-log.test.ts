import { expect, it } from 'vitest';
import { createRecordingLogger } from '../testing/index.ts';
import { createOutageLog } from './outage-log.ts';

it('tells of an outage once when it begins and once when it is over, and of the next one again', () => {
  const { logger, lines } = createRecordingLogger();
  const outageLog = createOutageLog(logger, 'the queue');
  outageLog.recovered();
  outageLog.failed(new Error('away'));
  outageLog.failed(new Error('still away'));
  outageLog.recovered();
  outageLog.recovered();
  outageLog.failed(new Error('away again'));
  expect(lines).toMatchObject([
    { level: 40, msg: 'the queue: failing, trying on', err: { message: 'away' } },
    { level: 30, msg: 'the queue: working again' },
    { level: 40, msg: 'the queue: failing, trying on', err: { message: 'away again' } },
  ]);
});
