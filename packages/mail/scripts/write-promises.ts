import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPromiseTable } from '../src/jmap/testing/promises.ts';

/** The table of docs/JMAP.md that says what holds at which server. */
const TABLE = /^\|\|Cyrus.*\n(?:\|.*\n)+/m;

const path = join(import.meta.dirname, '../../../docs/JMAP.md');
writeFileSync(
  path,
  readFileSync(path, 'utf8').replace(TABLE, () => toPromiseTable()),
);
