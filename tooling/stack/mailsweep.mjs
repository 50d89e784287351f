#!/usr/bin/env node
// `npx mailsweep` in a checkout: runs the command line from its sources. Elsewhere npx takes the published package.
// `npx mailsweep doctor --installation` checks what the checkout runs, as npm run doctor does.
const words = process.argv.slice(2);
const isInstallation = words[0] === 'doctor' && words.includes('--installation');
process.argv.splice(
  2,
  words.length,
  ...(isInstallation ? words.filter((word) => word !== '--installation') : ['mailsweep', ...words]),
);
await import('./bootstrap.mjs');
