import { randomUUID } from 'node:crypto';
import { decodeBatch, encodeBatch, MESSAGE_FIELDS } from '@mailsweep/gmail/protocol';
import { z } from 'zod';
import { type Check, compare, type Finding } from '../check.ts';
import { isSuccess, parseJson, reasonOf } from '../gmail-client.ts';
import { FORWARDED_FILES } from '../test-mail.ts';

const READ_UNITS = 20;
const PATH = (id: string) => `messages/${id}?format=full&fields=${encodeURIComponent(MESSAGE_FIELDS)}`;

interface Part {
  filename?: string | undefined;
  parts?: Part[] | undefined;
}
const PartSchema: z.ZodType<Part> = z.lazy(() =>
  z.object({ filename: z.string().optional(), parts: z.array(PartSchema).optional() }),
);
const MessageSchema = z.object({ payload: PartSchema });

const countFiles = ({ filename, parts = [] }: Part): number =>
  (filename?.endsWith('.pdf') ? 1 : 0) + parts.reduce((sum, part) => sum + countFiles(part), 0);

const describe = (status: number, body: unknown): string => {
  const parsed = MessageSchema.safeParse(body);
  return parsed.success
    ? `${status}, ${countFiles(parsed.data.payload)} files`
    : `${status} ${reasonOf({ body })}`.trim();
};

/** How a message is read: the field mask of the product, alone and within a batch, and what an insertion responds with. */
export const messagesCheck: Check = {
  title: 'Reading messages',
  units: () => 2 * READ_UNITS,
  async run({ gmail, workspace }) {
    const { forwardedId } = workspace;
    const alone = await gmail.call({ method: 'GET', path: PATH(forwardedId) });
    const contentId = randomUUID();
    const target = `/gmail/v1/users/me/${PATH(forwardedId)}`;
    const text = encodeBatch([{ contentId, method: 'GET', target }], 'live_check');
    const batch = await gmail.postBatch(text, 'live_check', READ_UNITS);
    const part = decodeBatch(batch.text, batch.contentType)?.get(contentId);
    const findings: Finding[] = [
      compare({
        id: 'insert-response',
        title: 'Fields of the response to messages.insert',
        expected: 'id, labelIds, threadId',
        observed: workspace.insertionKeys.join(', '),
      }),
      compare({
        id: 'fields-alone',
        title: 'A message that was forwarded three times, read with our field mask',
        expected: `200, ${FORWARDED_FILES} files`,
        observed: describe(alone.status, alone.body),
      }),
      compare({
        id: 'fields-in-batch',
        title: 'The same within a batch',
        expected: isSuccess(alone) ? describe(alone.status, alone.body) : `200, ${FORWARDED_FILES} files`,
        observed:
          part === undefined
            ? `batch ${batch.status}, part missing`
            : describe(part.status, parseJson(part.text)),
      }),
    ];
    return { findings };
  },
};
