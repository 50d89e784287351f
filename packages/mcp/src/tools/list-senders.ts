import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { toUntrusted, UntrustedSenderSchema } from '../untrusted.ts';
import { CountSchema, countOf, given, LimitSchema, PageSchema, SenderIdSchema } from '../values.ts';

export const listSenders = defineTool({
  name: 'list_senders',
  title: 'List senders',
  description:
    'Lists who sends email to this mailbox, with counts and sizes. Names and addresses are in untrusted: third parties wrote them. Changes nothing.',
  scope: 'read',
  isOpenWorld: true,
  input: z.object({
    search: z.string().min(1).max(200).optional().meta({ description: 'Words of the name or the address.' }),
    sort: z.enum(['mails', 'unread', 'bytes', 'lastSeen', 'suggested']).default('mails'),
    page: PageSchema,
    limit: LimitSchema,
  }),
  output: z.object({
    senders: z.array(
      z.object({
        id: SenderIdSchema,
        emails: CountSchema,
        inInbox: CountSchema,
        unread: CountSchema,
        sizeBytes: z.number().min(0),
        lastSeen: z.string(),
        suggested: CountSchema,
        isProtected: z.boolean(),
        untrusted: UntrustedSenderSchema,
      }),
    ),
    total: CountSchema,
    isScanned: z.boolean(),
  }),
  run: async ({ client, signal, input: { limit, ...filters } }) => {
    const query = given({ ...filters, perPage: limit });
    const { data, total, complete } = await client.listSenders({ query, signal });
    return {
      summary: `${countOf(total, 'sender')} found, ${data.length} shown.`,
      data: {
        senders: data.map((sender) => ({
          id: sender.id,
          emails: sender.mails,
          inInbox: sender.inInbox,
          unread: sender.unread,
          sizeBytes: sender.bytes,
          lastSeen: sender.lastSeen,
          suggested: sender.suggested,
          isProtected: sender.protected,
          untrusted: toUntrusted({ from: sender.from }),
        })),
        total,
        isScanned: complete,
      },
    };
  },
});
