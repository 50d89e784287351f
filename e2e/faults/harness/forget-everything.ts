import { once } from 'node:events';
import { connect } from 'node:net';

/** Makes a Redis lose its memory: sends FLUSHALL as an inline command (Redis protocol specification). */
export const forgetEverything = async (redisUrl: string): Promise<void> => {
  const { hostname, port } = new URL(redisUrl);
  const socket = connect(Number(port), hostname);
  socket.write('FLUSHALL\r\n');
  const [response] = await once(socket, 'data');
  socket.destroy();
  if (!String(response).startsWith('+OK')) throw new Error(`Redis did not forget: ${response}`);
};
