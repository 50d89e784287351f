import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';

/** Endings of the files that the build wrote beside each asset, best first, with their HTTP content coding. */
const ENCODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
];

/**
 * Points a request at the copy of an asset that was compressed when the app was built, if the browser takes it.
 * A static file handler has to follow.
 *
 * @param directory - the folder of the assets; read once, as built files do not change
 */
export const serveCompressed = (directory: string): RequestHandler => {
  const files = new Set(readdirSync(directory).map((name) => `/${name}`));
  return (request, response, next) => {
    const path = request.path;
    const best = ENCODINGS.find(
      ({ coding, ending }) => files.has(path + ending) && request.acceptsEncodings(coding) !== false,
    );
    response.vary('accept-encoding');
    if (best) {
      request.url = path + best.ending;
      response.type(extname(path)).set('content-encoding', best.coding);
    }
    next();
  };
};
