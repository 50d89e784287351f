import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
/** The first migration that the rule holds for (docs/decisions/063). */
const FIRST = 13;

/** What the processes of the version before a migration may not survive. */
const REMOVALS = [
  /\bDROP\b/i,
  /\bRENAME\b/i,
  /\bTRUNCATE\b/i,
  /\bSET NOT NULL\b/i,
  /\bALTER COLUMN\b[^,;]*\bTYPE\b/i,
];
const ADDED_COLUMN = /\bADD COLUMN\b[^,;]*/gi;

/** What is wrong with a migration; nothing, when it is marked and an expanding one only adds. */
const findProblems = (sql: string): string[] => {
  const kind = /^-- (expand|contract)\b/.exec(sql)?.[1];
  if (kind === undefined) return ['its first line says neither "-- expand" nor "-- contract"'];
  if (kind === 'contract') return [];
  const statements = sql.replace(/--.*$/gm, '');
  const removals = REMOVALS.flatMap((pattern) => pattern.exec(statements)?.[0] ?? []);
  const columns = [...statements.matchAll(ADDED_COLUMN)].map(([column]) => column.trim());
  return [
    ...removals,
    ...columns.filter((column) => /\bNOT NULL\b/i.test(column) && !/\b(DEFAULT|GENERATED)\b/i.test(column)),
  ];
};

const files = readdirSync(MIGRATIONS).filter(
  (file) => file.includes('.do.') && Number.parseInt(file, 10) >= FIRST,
);

describe('a migration expands or contracts', () => {
  test('every new one', () => {
    const found = files.map((file) => ({
      file,
      problems: findProblems(readFileSync(new URL(file, MIGRATIONS), 'utf8')),
    }));
    expect(found.filter(({ problems }) => problems.length > 0)).toEqual([]);
  });

  test.each([
    ['ALTER TABLE "Rule" ADD COLUMN "note" TEXT;', 0],
    ['ALTER TABLE "Rule" ADD COLUMN "kind" TEXT NOT NULL DEFAULT \'a\', ADD COLUMN "note" TEXT;', 0],
    ['CREATE TABLE "Note" ("id" UUID NOT NULL); -- DROP TABLE "Rule"', 0],
    ['ALTER TABLE "Rule" ADD COLUMN "kind" TEXT NOT NULL;', 1],
    [
      'ALTER TABLE "Rule" ADD COLUMN "a" TEXT, ADD COLUMN "kind" TEXT NOT NULL, ADD COLUMN "b" TEXT DEFAULT \'\';',
      1,
    ],
    ['ALTER TABLE "Rule" DROP COLUMN "name";', 1],
    ['ALTER TABLE "Rule" RENAME COLUMN "name" TO "title";', 1],
    ['ALTER TABLE "Rule" ALTER COLUMN "name" SET NOT NULL;', 1],
    ['ALTER TABLE "Rule" ALTER COLUMN "name" SET DATA TYPE UUID;', 1],
  ])('%s', (sql, problems) => {
    expect(findProblems(`-- expand: a test\n${sql}`)).toHaveLength(problems);
    expect(findProblems(`-- contract: a test\n${sql}`)).toEqual([]);
    expect(findProblems(sql)).toHaveLength(1);
  });
});
