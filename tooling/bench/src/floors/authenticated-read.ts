import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import type { Statement } from '../captured-statement.ts';

/** What this process gets as its one argument, as JSON. */
export interface FloorOptions {
  port: number;
  databaseUrl: string;
  connections: number;
  /** Hexadecimal. */
  tokenKey: string;
  statements: Record<string, Statement>;
}

/** The floor of an authenticated read: node:http and pg, the token's check, the session's row, the route's statement. */
const { port, databaseUrl, connections, tokenKey, statements }: FloorOptions = JSON.parse(
  process.argv[2] ?? '',
);
const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
const key = createSecretKey(Buffer.from(tokenKey, 'hex'));
const known = new Map<string, jwt.JwtPayload>();

const verify = (token: string): jwt.JwtPayload => {
  const claims = known.get(token) ?? (jwt.verify(token, key, { algorithms: ['HS256'] }) as jwt.JwtPayload);
  known.set(token, claims);
  if ((claims.exp ?? 0) * 1_000 < Date.now()) throw new Error('expired');
  return claims;
};

const reply = async (url: string, authorization: string): Promise<string> => {
  const claims = verify(authorization.slice('Bearer '.length));
  const sessions = await pool.query(
    `SELECT "id", "userId", "expiresAt", extract(epoch FROM now() - "createdAt")::float8 AS "ageSeconds",
       extract(epoch FROM now() - "lastUsedAt")::float8 AS "unusedSeconds"
     FROM "Session" WHERE "id" = $1::uuid AND "userId" = $2::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()`,
    [claims.sid, claims.sub],
  );
  if (sessions.rowCount !== 1) throw new Error('signed out');
  const { rows } = await pool.query({ ...statements[url] } as Statement);
  return JSON.stringify({ total: rows[0]?.total, data: rows });
};

createServer((request, response) => {
  const { url = '', headers } = request;
  const text = url === '/up' ? Promise.resolve('{}') : reply(url, headers.authorization ?? '');
  text.then(
    (body) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    },
    (error: unknown) => response.writeHead(500, { 'content-length': 0 }).end(String(error)),
  );
}).listen(port, '127.0.0.1');
