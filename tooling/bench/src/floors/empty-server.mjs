import { createServer } from 'node:http';

/** The floor of a start: a server that loads nothing and responds to everything with nothing. */
createServer((_request, response) => response.end()).listen(Number(process.argv[2]), '127.0.0.1');
