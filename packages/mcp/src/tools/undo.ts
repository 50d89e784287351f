import { z } from 'zod';
import { defineTool, ToolError } from '../tool.ts';
import { CountSchema, countOf } from '../values.ts';
import { BatchSchema } from './history.ts';

export const undo = defineTool({
  name: 'undo',
  title: 'Undo',
  description:
    'Undoes what was done last, or the batch that is named: each email gets back exactly the labels that were changed. Thousands of emails are undone in the background; call it again with the batchId to see how far it is.',
  scope: 'act',
  input: z.object({
    batchId: z
      .uuid()
      .optional()
      .meta({ description: 'From history or cleanup_status; without it, the last one.' }),
  }),
  output: BatchSchema.extend({
    isRunning: z.boolean().meta({ description: 'Whether it goes on in the background.' }),
    failed: CountSchema.meta({ description: 'Emails that could not be undone, as they changed since.' }),
  }),
  run: async ({ client, signal, input }) => {
    const findLast = async () => {
      const { data } = await client.listActionBatches({ query: { undoable: true, perPage: 1 }, signal });
      return data[0]?.id;
    };
    const id = input.batchId ?? (await findLast());
    if (id === undefined) throw new ToolError('There is nothing to undo.');
    const batch = await client.undoActionBatch({ params: { id }, signal });
    const isRunning = batch.undo?.state === 'running';
    return {
      summary: `${batch.undone} of ${countOf(batch.total, 'email')} undone${isRunning ? ' so far; it goes on' : ''}.`,
      data: {
        batchId: batch.id,
        startedAt: batch.startedAt,
        action: batch.action,
        emails: batch.total,
        undone: batch.undone,
        isRunning,
        failed: batch.undo?.failed ?? 0,
      },
    };
  },
});
