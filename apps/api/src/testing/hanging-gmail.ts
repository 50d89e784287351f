import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A provider that answers nothing until it is released; then, that it can't. */
export const startHangingGmail = async () => {
  const held: ServerResponse[] = [];
  let isHanging = true;
  const refuse = (response: ServerResponse) => response.writeHead(503, { 'retry-after': '3600' }).end();
  const server = createServer((_request, response) => {
    if (isHanging) held.push(response);
    else refuse(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    release() {
      isHanging = false;
      held.forEach(refuse);
    },
  };
};
