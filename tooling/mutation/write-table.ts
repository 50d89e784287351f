import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const DOCUMENT = 'docs/MUTATION-TESTING.md';
const HEAD = '| area | files | score | noticed | files below 80 % |\n|---|---|---|---|---|\n';
/** A run with less fails, as `stryker.config.ts` says. */
const LEAST = 0.8;

/** Stryker's JSON report, as far as the table needs it. */
interface Report {
  files: Record<string, { mutants: { status: string }[] }>;
}

const toRow = (area: string, { files }: Report): string => {
  const counted = Object.entries(files)
    .map(([file, { mutants }]) => {
      const count = (...statuses: string[]) =>
        mutants.filter(({ status }) => statuses.includes(status)).length;
      const noticed = count('Killed', 'Timeout');
      return { name: basename(file, '.ts'), noticed, total: noticed + count('Survived', 'NoCoverage') };
    })
    .filter(({ total }) => total > 0);
  const noticed = counted.reduce((sum, file) => sum + file.noticed, 0);
  const total = counted.reduce((sum, file) => sum + file.total, 0);
  const weak = counted.filter((file) => file.noticed / file.total < LEAST).map(({ name }) => name);
  const score = `${Math.round((100 * noticed) / total)} %`;
  return `| \`${area}\` | ${counted.length} | ${score} | ${noticed} of ${total} | ${weak.join(', ')} |`;
};

// Run at the root after `pnpm test:mutation`: rows of areas that have a report are replaced, others stay.
const document = readFileSync(DOCUMENT, 'utf8');
const start = document.indexOf(HEAD);
if (start < 0) throw new Error(`${DOCUMENT} has no table`);
const rows = document
  .slice(start + HEAD.length)
  .split('\n')
  .filter((line) => line.startsWith('|'));
const reports = globSync('tooling/mutation/reports/*.json', { exclude: ['**/*.incremental.json'] }).map(
  (path) => ({
    area: basename(path, '.json'),
    report: JSON.parse(readFileSync(path, 'utf8')) as Report,
  }),
);
const fresh = reports.map(({ area, report }) => toRow(area, report));
const kept = rows.filter((row) => !reports.some(({ area }) => row.startsWith(`| \`${area}\` |`)));
writeFileSync(DOCUMENT, `${document.slice(0, start)}${HEAD}${[...kept, ...fresh].join('\n')}\n`);
process.stdout.write(`${fresh.length} rows written, ${kept.length} kept\n`);
