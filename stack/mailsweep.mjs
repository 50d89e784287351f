#!/usr/bin/env node
// `npx mailsweep` in a checkout: runs the command line from its sources. Elsewhere npx takes the published package.
process.argv.splice(2, 0, 'mailsweep');
await import('./bootstrap.mjs');
