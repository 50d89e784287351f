import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const DOCUMENT = 'docs/MUTATION-TESTING.md';
const HEAD = '| area | files | score | noticed |\n|---|---|---|---|\n';

/** Stryker's JSON report, as far as the table needs it. */
interface Report {
  files: Record<string, { mutants: { status: string }[] }>;
}

const toRow = (area: string, file: string, mutants: Report['files'][string]['mutants']): string | null => {
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const total = noticed + count('Survived', 'NoCoverage');
  if (total === 0) return null;
  return `| \`${area}\` | ${basename(file, '.ts')} | ${Math.round((100 * noticed) / total)} % | ${noticed} of ${total} |`;
};

// Run at the root after `pnpm test:mutation`: rows of areas that have a report are replaced, others stay.
const document = readFileSync(DOCUMENT, 'utf8');
const start = document.indexOf(HEAD);
const rows = document
  .slice(start + HEAD.length)
  .split('\n')
  .filter((line) => line.startsWith('|'));
const reports = globSync('mutation/reports/*.json', { exclude: ['**/*.incremental.json'] }).map((path) => ({
  area: basename(path, '.json'),
  report: JSON.parse(readFileSync(path, 'utf8')) as Report,
}));
const fresh = reports.flatMap(({ area, report }) =>
  Object.entries(report.files).flatMap(([file, { mutants }]) => toRow(area, file, mutants) ?? []),
);
const kept = rows.filter((row) => !reports.some(({ area }) => row.startsWith(`| \`${area}\` |`)));
writeFileSync(DOCUMENT, `${document.slice(0, start)}${HEAD}${[...kept, ...fresh].join('\n')}\n`);
process.stdout.write(`${fresh.length} rows written, ${kept.length} kept\n`);
