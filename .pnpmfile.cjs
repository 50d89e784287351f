// The Prisma client names its command line and the compiler as optional peers, which would bring both into every
// production image.
const readPackage = (manifest) => {
  if (manifest.name === '@prisma/client') {
    for (const peer of ['prisma', 'typescript']) {
      delete manifest.peerDependencies?.[peer];
      delete manifest.peerDependenciesMeta?.[peer];
    }
  }
  return manifest;
};

module.exports = { hooks: { readPackage } };
