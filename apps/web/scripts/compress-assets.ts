import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Writes a Brotli and a gzip copy beside each text asset of the build, so that the server only picks. */
const directory = fileURLToPath(new URL('../dist/assets', import.meta.url));

for (const name of readdirSync(directory)) {
  // Names change with the content, so a copy of an earlier build is right.
  if (!/\.(js|css|svg)$/.test(name) || existsSync(join(directory, `${name}.gz`))) continue;
  const content = readFileSync(join(directory, name));
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  writeFileSync(join(directory, `${name}.br`), brotli);
  writeFileSync(join(directory, `${name}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}
