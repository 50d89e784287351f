import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only this user may read, through a temporary file, so that no reader sees half of it. */
export const writeFileAtomically = (path: string, content: string): void => {
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
};
