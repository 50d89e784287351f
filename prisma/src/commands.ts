import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { databaseVariables, requireDatabase, toDatabaseUrl } from './database-url.ts';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { seedDatabase } from './seed.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const COMMANDS: Record<string, (databaseUrl: string) => Promise<void>> = {
  async migrate(databaseUrl) {
    const applied = await migrateDatabase({ databaseUrl });
    say(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  },
  async rollback(databaseUrl) {
    const name = await rollbackMigration({ databaseUrl });
    say(name === null ? 'No migration is applied.' : `Rolled back ${name}.`);
  },
  async seed(databaseUrl) {
    const { userId } = await seedDatabase({ databaseUrl });
    say(`Seeded a sample history for user ${userId}.`);
  },
};

/**
 * Runs `migrate`, `rollback` or `seed`.
 *
 * @returns the exit code
 */
const runCommand = async ([name = '', ...others]: string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const command = COMMANDS[name];
  if (command === undefined || others.length > 0) {
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
    await command(toDatabaseUrl(variables.data));
    return 0;
  } catch (error) {
    process.stderr.write(`${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // biome-ignore lint/style/noProcessEnv: a command line's entry point hands its environment on.
  process.exitCode = await runCommand(process.argv.slice(2), process.env);
}
