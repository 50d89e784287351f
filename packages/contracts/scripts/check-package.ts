import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Judges the package as its users would install it: packed, with the fields of publishConfig in place.
const folder = mkdtempSync(join(tmpdir(), 'contracts-package-'));

try {
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { stdio: 'inherit' });
  const [tarball] = readdirSync(folder).map((name) => join(folder, name));
  if (tarball === undefined) throw new Error('pnpm pack left no package behind');
  execFileSync('publint', ['--strict', tarball], { stdio: 'inherit' });
  execFileSync('attw', ['--profile', 'esm-only', tarball], { stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
