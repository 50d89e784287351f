import { createLogger, type Logger } from '../logger.ts';

export interface LogLine {
  level: number;
  msg: string;
  [field: string]: unknown;
}

/** A real logger whose lines a test can read. */
export const createRecordingLogger = (): { logger: Logger; lines: LogLine[] } => {
  const lines: LogLine[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) };
  return { logger: createLogger({ service: 'test', level: 'debug', destination }), lines };
};
