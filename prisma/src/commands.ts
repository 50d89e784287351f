import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { databaseVariables, requireDatabase, toDatabaseUrl } from './database-url.ts';
import { diffSchema } from './diff.ts';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { seedDatabase } from './seed.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const COMMANDS: Record<string, (databaseUrl: string, argument: string) => Promise<void>> = {
  async migrate(databaseUrl) {
    const applied = await migrateDatabase({ databaseUrl });
    say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  },
  async rollback(databaseUrl) {
    const name = await rollbackMigration({ databaseUrl });
    say(name === null ? 'No migration is applied.' : `Took back ${name}.`);
  },
  async seed(databaseUrl) {
    const { userId } = await seedDatabase({ databaseUrl });
    say(`Seeded a sample history for user ${userId}.`);
  },
  async diff(databaseUrl, fromPath) {
    say(await diffSchema({ databaseUrl, fromPath }));
  },
};

/**
 * Runs `migrate`, `rollback`, `seed` or `diff FILE` (prints the SQL that leads from an older schema file
 * to the present one).
 *
 * @returns the exit code
 */
const runCommand = async ([name, argument]: string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const command = COMMANDS[name ?? ''];
  if (command === undefined) {
    process.stderr.write(`Usage: ${Object.keys(COMMANDS).join(' | ')}\n`);
    return 2;
  }
  const variables = requireDatabase(z.object(databaseVariables)).safeParse(env);
  if (!variables.success) {
    const faulty = variables.error.issues.map((issue) => issue.path.join('.'));
    process.stderr.write(`Missing or malformed: ${faulty.join(', ')}\n`);
    return 2;
  }
  try {
    await command(toDatabaseUrl(variables.data), argument ?? '');
    return 0;
  } catch (error) {
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // biome-ignore lint/style/noProcessEnv: a command line's entry point hands its environment on.
  const exitCode = await runCommand(process.argv.slice(2), process.env);
  // The engine leaves its 10 s lock timer running, which would hold the process for as long.
  process.exit(exitCode);
}
