import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { watchStopSignals } from './stop-signals.ts';

const watch = () => {
  const source = new EventEmitter();
  let nowMs = 0;
  const heard: string[] = [];
  const { wished, insisted } = watchStopSignals({ source: source as NodeJS.Process, nowMs: () => nowMs });
  void wished.then(() => heard.push('wished'));
  void insisted.then(() => heard.push('insisted'));
  return {
    heard,
    send: async (signal: string, atMs: number) => {
      nowMs = atMs;
      source.emit(signal);
      await Promise.resolve();
    },
  };
};

it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])('takes %s for the wish to end', async (signal) => {
  const { heard, send } = watch();
  await send(signal, 0);
  expect(heard).toEqual(['wished']);
});

it('takes what terminal, npm and bootstrap send at once for one wish, and a later one for impatience', async () => {
  const { heard, send } = watch();
  await send('SIGINT', 5_000);
  await send('SIGINT', 5_003);
  await send('SIGTERM', 5_400);
  expect(heard).toEqual(['wished']);
  await send('SIGINT', 7_000);
  expect(heard).toEqual(['wished', 'insisted']);
});
