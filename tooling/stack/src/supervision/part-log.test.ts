import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createPartLog } from './part-log.ts';

const openLog = (nowMs: () => number = () => 0) => {
  const file = join(temporaryFolder(), 'part.log');
  const errors: string[] = [];
  const log = createPartLog({ file, onError: (message) => errors.push(message), nowMs });
  return { file, errors, log, write: (text: string) => appendFileSync(file, text) };
};

const line = (level: number, msg: string, err?: object): string => `${JSON.stringify({ level, msg, err })}\n`;

it('reports errors, and nothing else', () => {
  const { errors, log, write } = openLog();
  write(line(30, 'listening') + line(40, 'slow') + line(50, 'lost', { message: 'connection reset' }));
  write(`plain text\n{"level": broken\n${line(60, 'fatal error')}`);
  log.tail();
  expect(errors).toEqual(['lost: connection reset', 'fatal error']);
});

it('puts lines together that come in pieces, letters of several bytes included', () => {
  const { errors, log, file } = openLog();
  const bytes = Buffer.from(line(50, 'Überlauf'));
  appendFileSync(file, bytes.subarray(0, 20));
  log.tail();
  appendFileSync(file, bytes.subarray(20));
  log.tail();
  expect(errors).toEqual(['Überlauf']);
});

it('reports the same error once in ten seconds', () => {
  let nowMs = 0;
  const { errors, log, write } = openLog(() => nowMs);
  const failAt = (atMs: number) => {
    nowMs = atMs;
    write(line(50, 'no database'));
    log.tail();
  };
  for (const atMs of [0, 3_000, 9_000, 10_000]) failAt(atMs);
  expect(errors).toHaveLength(2);
});

it('returns the last twenty lines, and one that is not finished', () => {
  const { log, write } = openLog();
  for (let number = 1; number <= 30; number += 1) write(`line ${number}\n`);
  write('cut of');
  const tail = log.tail();
  expect([tail[0], tail.at(-2), tail.at(-1)]).toEqual(['line 11', 'line 30', 'cut of']);
});

it('is emptied at every start, and stays small', () => {
  const { file, log, write } = openLog();
  write('x'.repeat(11 * 1024 * 1024));
  log.tail();
  expect(statSync(file).size).toBe(0);
  write('after\n');
  expect(log.tail().at(-1)).toMatch(/after$/);
  writeFileSync(file, 'from the run before\n');
  createPartLog({ file, onError: () => undefined });
  expect(statSync(file).size).toBe(0);
});
