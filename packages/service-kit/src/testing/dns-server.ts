import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const TYPES: Record<number, string> = { 1: 'A', 5: 'CNAME', 28: 'AAAA', 33: 'SRV' };
const CNAME = 5;
const RECURSIVE_ANSWER = 0x8180;

/** A record by its owner: an address, or the name that it is an alias of. */
interface DnsRecord {
  owner: string;
  value: string;
}

/** What a server answers to a question: records, the code of an error, or nothing at all. */
export type AnswerDns = (name: string, type: string) => DnsRecord[] | number | undefined;

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const encodeRecord = ({ owner, value }: DnsRecord): Buffer => {
  const address = ipaddr.isValid(value) ? ipaddr.parse(value) : undefined;
  const data = address === undefined ? encodeName(value) : Buffer.from(address.toByteArray());
  const type = address === undefined ? CNAME : address.kind() === 'ipv4' ? 1 : 28;
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), head, data]);
};

/**
 * Starts a DNS server on a port of its own.
 *
 * @param answer - by default it never answers
 * @returns its address as resolvers take it, and the questions that it got
 */
export const startDnsServer = async (answer: AnswerDns = () => undefined) => {
  const questions: { name: string; type: string }[] = [];
  const socket = createSocket('udp4', (message, client) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const [name, type] = [labels.join('.').toLowerCase(), TYPES[message.readUInt16BE(at + 1)] ?? ''];
    questions.push({ name, type });
    const answered = answer(name, type);
    if (answered === undefined) return;
    const [code, records] = typeof answered === 'number' ? [answered, []] : [0, answered];
    const head = Buffer.from(message.subarray(0, at + 5));
    head.writeUInt16BE(RECURSIVE_ANSWER + code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([head, ...records.map(encodeRecord)]), client.port, client.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => void socket.close(),
  };
};
