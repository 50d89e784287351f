import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate for these names, signed by itself. */
const createCertificate = (
  folder: string,
  names: readonly string[],
): { keyPath: string; certPath: string } => {
  const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const altNames = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyPath];
  const subject = ['-subj', `/CN=${names[0]}`, '-addext', altNames];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...subject, '-out', certPath], {
    stdio: 'ignore',
  });
  return { keyPath, certPath };
};

/**
 * Starts an https server on this machine with a certificate of its own, which only those trust who are told to.
 *
 * @param names - the names in its certificate
 */
export const startHttpsServer = async (names: readonly string[], listener: RequestListener) => {
  const folder = mkdtempSync(join(tmpdir(), 'https-server-'));
  const { keyPath, certPath } = createCertificate(folder, names);
  const certificate = readFileSync(certPath, 'utf8');
  const server = createServer({ key: readFileSync(keyPath), cert: certificate }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** PEM. */
    certificate,
    certPath,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      rmSync(folder, { recursive: true });
    },
  };
};
