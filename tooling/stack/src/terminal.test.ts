import { expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

const open = (isScreen: boolean) => {
  let text = '';
  let nowMs = 0;
  const write = (piece: string) => {
    text += piece;
  };
  const terminal = createTerminal({ write, isScreen, hasColour: isScreen, nowMs: () => nowMs });
  return {
    terminal,
    text: () => text,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
};

it('writes a plain line for each thing done where there is no screen', () => {
  const { terminal, text, pass } = open(false);
  const database = terminal.begin('Database');
  pass(1_234);
  database.done('2 applied');
  terminal.warn('Port 3000 is taken.');
  terminal.table([
    ['API', 'http://localhost:3000'],
    ['Web app', 'none'],
  ]);
  expect(text()).toBe(
    [
      '✓ Database         1.2 s  2 applied',
      '! Port 3000 is taken.',
      '  API       http://localhost:3000',
      '  Web app   none',
      '',
    ].join('\n'),
  );
});

it('shows what goes on in the last line of a screen, and wipes it in the end', () => {
  const { terminal, text } = open(true);
  const one = terminal.begin('API');
  const two = terminal.begin('Worker');
  expect(text()).toMatch(/… API, Worker[^\n]*$/);
  one.done();
  expect(text()).toMatch(/… Worker[^\n]*$/);
  two.done();
  expect(text()).toMatch(/Worker[^\n]*\n$/);
});
