#!/usr/bin/env node
// In a checkout there are the sources alone, which need Node 24; the package has them built.
import { existsSync } from 'node:fs';

const built = new URL('./dist/main.js', import.meta.url);
await import(existsSync(built) ? built.href : './src/main.ts');
