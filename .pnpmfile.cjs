const checks = require('./tooling/checks/package.json');

/** What packages ask for and the project never uses, a quarter of what `npm start` would install. */
const UNUSED = {
  // Its command line and the compiler, both optional: they would be in every production image.
  '@prisma/client': { peerDependencies: ['prisma', 'typescript'] },
  // Of the command line, only `generate` runs here: without its studio, its databases for development and a
  // configuration file (prisma/generate.mjs).
  prisma: {
    dependencies: ['@prisma/config', '@prisma/dev', '@prisma/studio-core', 'mysql2', 'postgres'],
    peerDependencies: ['better-sqlite3', 'typescript'],
  },
  valibot: { peerDependencies: ['typescript'] },
  // The icons as pictures; the components hold their own.
  '@tabler/icons-react': { dependencies: ['@tabler/icons'] },
};

const readPackage = (manifest) => {
  for (const [kind, names] of Object.entries(UNUSED[manifest.name] ?? {})) {
    for (const name of names) {
      delete manifest[kind]?.[name];
      delete manifest[`${kind}Meta`]?.[name];
    }
  }
  return manifest;
};

// What only tests and linters need is found from everywhere, though `npm start` does not install it.
const updateConfig = (config) => ({ ...config, publicHoistPattern: Object.keys(checks.devDependencies) });

module.exports = { hooks: { readPackage, updateConfig } };
