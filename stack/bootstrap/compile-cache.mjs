import { join } from 'node:path';

/**
 * How the stack and its parts run, as in src/supervision/part-process.ts: one user needs no large nursery, half the memory
 * of a part at rest would be garbage. The compile cache has entries for each set of flags.
 */
export const NODE_FLAGS = ['--max-semi-space-size=2'];

/** The folder of Node's compile cache. */
export const compileCacheOf = (root) => join(root, 'node_modules/.cache/node-compile');
