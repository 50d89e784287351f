import { appendFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Size at which a log is put aside and begun anew, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Lines kept for the message about a crash. */
const KEPT_LINES = 20;
/** Pino's number for the level error; fatal is above. */
const ERROR_LEVEL = 50;
/** The same fault is told once in this time, in milliseconds. */
const FAULT_SILENCE_MS = 10_000;

const LogLineSchema = z.object({
  level: z.number(),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).partial().optional(),
});

export interface PartLog {
  /** Takes output as it comes, in pieces of any size. */
  write(chunk: string): void;
  /** The last lines. */
  tail(): string[];
}

/**
 * Keeps the output of one part in a file that begins anew at every start, and tells of faults (pino lines of level
 * error and above).
 */
export const createPartLog = (options: {
  file: string;
  onFault: (message: string) => void;
  nowMs?: () => number;
}): PartLog => {
  const { file, onFault, nowMs = Date.now } = options;
  const toldAtMs = new Map<string, number>();
  let lines: string[] = [];
  let unfinished = '';
  let bytes = 0;
  writeFileSync(file, '', { mode: 0o600 });

  const tell = (message: string): void => {
    const now = nowMs();
    if (now - (toldAtMs.get(message) ?? -Infinity) < FAULT_SILENCE_MS) return;
    toldAtMs.set(message, now);
    onFault(message);
  };

  const append = (text: string): void => {
    if (bytes > MAX_BYTES) {
      if (existsSync(file)) renameSync(file, `${file}.old`);
      bytes = 0;
    }
    appendFileSync(file, text, { mode: 0o600 });
    bytes += Buffer.byteLength(text);
  };

  return {
    write(chunk) {
      append(chunk);
      const pieces = (unfinished + chunk).split('\n');
      unfinished = pieces.pop() ?? '';
      for (const line of pieces) {
        const fault = toFault(line);
        if (fault !== null) tell(fault);
      }
      lines = [...lines, ...pieces].slice(-KEPT_LINES);
    },
    tail: () => (unfinished === '' ? lines : [...lines, unfinished]),
  };
};

/** What a log line says, when it is a fault. */
const toFault = (line: string): string | null => {
  if (!line.startsWith('{')) return null;
  const parsed = LogLineSchema.safeParse(parseJson(line));
  if (!parsed.success || parsed.data.level < ERROR_LEVEL) return null;
  const { msg, err } = parsed.data;
  return [msg, err?.message].filter(Boolean).join(': ');
};

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    // Not every line that begins like JSON is JSON.
    return null;
  }
};
