import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as engineBindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

type WasmExports = Record<string, (() => void) | undefined>;
type EngineBindings = typeof engineBindings & { __wbg_set_wasm(exports: WasmExports): void };

/** The part of the WebAssembly API used here; its full types come only with those of a browser. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object, imports: Record<string, object>) => { exports: WasmExports };
  };
};

const SCHEMA_PATH = new URL('../schema.prisma', import.meta.url);

/** The schema file as the engine takes it. */
export const readSchema = () => ({ path: 'schema.prisma', content: readFileSync(SCHEMA_PATH, 'utf8') });

/** The generated bindings hold the one WebAssembly instance of the process; a second would break the first. */
let isLoaded = false;

const loadEngine = () => {
  if (isLoaded) return;
  const wasmPath = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    .replace(/\.js$/, '.wasm');
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasmPath)), {
    './schema_engine_bg.js': engineBindings,
  });
  (engineBindings as EngineBindings).__wbg_set_wasm(exports);
  exports.__wbindgen_start?.();
  isLoaded = true;
};

/**
 * Prisma's adapter, but for scripts: it cuts those at every semicolon, those inside of a function's body included.
 * Postgres takes a script as a whole, and runs it as one transaction.
 */
const createAdapterFactory = (pool: pg.Pool): PrismaPg => {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => void (await pool.query(script));
    return adapter;
  };
  return factory;
};

/**
 * Runs work on Prisma's own schema engine as WebAssembly, so that migrations need no download
 * (docs/decisions/002). It keeps the `_prisma_migrations` table that the stock command line knows.
 */
export const withSchemaEngine = async <T>(
  databaseUrl: string,
  work: (engine: engineBindings.SchemaEngine) => Promise<T>,
): Promise<T> => {
  loadEngine();
  const schema = readSchema();
  const pool = new pg.Pool({ connectionString: databaseUrl });
  try {
    const engine = await engineBindings.SchemaEngine.new(
      { datamodels: [[schema.path, schema.content]] },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(createAdapterFactory(pool)),
    );
    return await work(engine);
  } finally {
    await pool.end();
  }
};
