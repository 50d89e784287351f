import { readFileSync } from 'node:fs';
import { readSchema, withSchemaEngine } from './schema-engine.ts';

/**
 * The SQL that leads from an older schema file to the present one: the draft of a new migration.
 *
 * @param options.fromPath - the older schema file
 */
export const diffSchema = (options: { databaseUrl: string; fromPath: string }): Promise<string> =>
  withSchemaEngine(options.databaseUrl, async (engine) => {
    const older = { path: 'from.prisma', content: readFileSync(options.fromPath, 'utf8') };
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatamodel', files: [older] },
      to: { tag: 'schemaDatamodel', files: [readSchema()] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  });
