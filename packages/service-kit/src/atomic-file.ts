import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only we may read, so that nobody ever sees half of it: a temporary one takes its place. */
export const writeFileAtomically = (path: string, content: string): void => {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
};
