import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A span as it arrived. */
export interface CollectedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  attributes: Record<string, string | number>;
  /** Ids of the spans that it links to, and of their traces. */
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
}

type Field = Buffer | number;

/** The fields of a protobuf message by their numbers, as far as spans need them (protobuf.dev, "Encoding"). */
const readFields = (message: Buffer): ((number: number) => Field[]) => {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  const readBytes = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = readVarint();
    const sizes: Record<number, () => Field> = {
      0: readVarint,
      1: () => readBytes(8),
      2: () => readBytes(readVarint()),
      5: () => readBytes(4),
    };
    const read = sizes[tag % 8];
    if (read === undefined) throw new Error(`unknown wire type ${tag % 8}`);
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), read()]);
  }
  return (number) => fields.get(number) ?? [];
};

const toBuffer = (field: Field | undefined): Buffer => (Buffer.isBuffer(field) ? field : Buffer.alloc(0));
const messagesIn = (message: Buffer, number: number): Buffer[] => readFields(message)(number).map(toBuffer);
const textIn = (message: Buffer, number: number): string => String(messagesIn(message, number)[0] ?? '');
const hexIn = (message: Buffer, number: number): string =>
  (messagesIn(message, number)[0] ?? Buffer.alloc(0)).toString('hex');

const readAttributes = (message: Buffer, number: number): CollectedSpan['attributes'] =>
  Object.fromEntries(
    messagesIn(message, number).map((pair) => {
      const value = readFields(toBuffer(readFields(pair)(2)[0]));
      const [integer] = value(3);
      return [textIn(pair, 1), typeof integer === 'number' ? integer : String(value(1)[0] ?? '')];
    }),
  );

/** The spans of an ExportTraceServiceRequest (opentelemetry-proto, trace.proto). */
const readSpans = (request: Buffer): CollectedSpan[] =>
  messagesIn(request, 1).flatMap((resourceSpans) => {
    const [resource = Buffer.alloc(0)] = messagesIn(resourceSpans, 1);
    const service = String(readAttributes(resource, 1)['service.name']);
    return messagesIn(resourceSpans, 2)
      .flatMap((scopeSpans) => messagesIn(scopeSpans, 2))
      .map((span) => ({
        service,
        traceId: hexIn(span, 1),
        spanId: hexIn(span, 2),
        parentId: hexIn(span, 4),
        name: textIn(span, 5),
        attributes: readAttributes(span, 9),
        links: messagesIn(span, 13).map((link) => ({ traceId: hexIn(link, 1), spanId: hexIn(link, 2) })),
        isFailed: messagesIn(span, 15).some((status) => readFields(status)(3)[0] === 2),
      }));
  });

/**
 * Starts a collector of traces (OTLP over HTTP, protobuf) that keeps what it gets.
 *
 * @param respond - in place of taking the spans
 */
export const startTraceCollector = async (respond?: RequestListener) => {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    if (respond !== undefined) return respond(request, response);
    bodies.push(await buffer(request));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: (): CollectedSpan[] => bodies.flatMap(readSpans),
    /** Everything that arrived, as it was sent. */
    received: (): Buffer => Buffer.concat(bodies),
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
};

export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;
