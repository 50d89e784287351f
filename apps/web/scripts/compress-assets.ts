import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Writes a Brotli and a gzip copy beside each text asset, for the server to pick from. */
const directory = fileURLToPath(new URL('../dist/assets', import.meta.url));

for (const name of readdirSync(directory)) {
  // The name changes with the content, so an earlier copy is right.
  if (!/\.(js|css|svg)$/.test(name) || existsSync(join(directory, `${name}.gz`))) continue;
  const content = readFileSync(join(directory, name));
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  writeFileSync(join(directory, `${name}.br`), brotli);
  writeFileSync(join(directory, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}
