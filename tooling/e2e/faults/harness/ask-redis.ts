import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends an inline command (Redis protocol specification), and returns the response as it came. */
export const askRedis = async (redisUrl: string, command: string): Promise<string> => {
  const { hostname, port } = new URL(redisUrl);
  const socket = connect(Number(port), hostname);
  socket.write(`${command}\r\n`);
  const [response] = await once(socket, 'data');
  socket.destroy();
  return String(response);
};

/** Makes a Redis lose its memory. */
export const forgetEverything = async (redisUrl: string): Promise<void> => {
  const response = await askRedis(redisUrl, 'FLUSHALL');
  if (!response.startsWith('+OK')) throw new Error(`Redis did not forget: ${response}`);
};
