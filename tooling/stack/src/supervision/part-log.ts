import { fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';

const MAX_BYTES = 10 * 1024 * 1024;
const READ_INTERVAL_MS = 250;
const TAIL_LINES = 20;
/** Pino's number for the level error; fatal is above. */
const ERROR_LEVEL = 50;
/** The same error is shown once in this time, in milliseconds. */
const REPEAT_INTERVAL_MS = 10_000;

const LogLineSchema = z.object({
  level: z.number(),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).partial().optional(),
});

/**
 * Writes the output of one part to a file that is emptied at every start, and shows errors (pino lines of level
 * error and above). The part writes to the file itself: were there a pipe to us, it would break with us, and Pino
 * waits for ever on a broken pipe.
 */
export const createPartLog = (options: {
  file: string;
  onError: (message: string) => void;
  nowMs?: () => number;
}) => {
  const { file, onError, nowMs = Date.now } = options;
  const reportedAtMs = new Map<string, number>();
  const decoder = new StringDecoder('utf8');
  let lines: string[] = [];
  let unfinished = '';
  let readBytes = 0;
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'a+', 0o600);

  const report = (message: string): void => {
    const now = nowMs();
    if (now - (reportedAtMs.get(message) ?? Number.NEGATIVE_INFINITY) < REPEAT_INTERVAL_MS) return;
    reportedAtMs.set(message, now);
    onError(message);
  };

  const take = (text: string): void => {
    const pieces = (unfinished + text).split('\n');
    unfinished = pieces.pop() ?? '';
    for (const line of pieces) {
      const message = toErrorMessage(line);
      if (message !== null) report(message);
    }
    lines = [...lines, ...pieces].slice(-TAIL_LINES);
  };

  const read = (): void => {
    const { size } = fstatSync(descriptor);
    const fresh = Buffer.alloc(Math.max(0, size - readBytes));
    readBytes += readSync(descriptor, fresh, 0, fresh.length, readBytes);
    take(decoder.write(fresh));
    if (size <= MAX_BYTES) return;
    // Writers append, so they go on at the new end.
    ftruncateSync(descriptor, 0);
    readBytes = 0;
  };
  setInterval(read, READ_INTERVAL_MS).unref();

  return {
    /** The open file, for a process to write to. */
    descriptor,
    tail(): string[] {
      read();
      return unfinished === '' ? lines : [...lines, unfinished];
    },
  };
};

export type PartLog = ReturnType<typeof createPartLog>;

const toErrorMessage = (line: string): string | null => {
  if (!line.startsWith('{')) return null;
  const parsed = LogLineSchema.safeParse(parseJson(line));
  if (!parsed.success || parsed.data.level < ERROR_LEVEL) return null;
  const { msg, err } = parsed.data;
  return [msg, err?.message].filter(Boolean).join(': ');
};
