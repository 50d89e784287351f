import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { CountSchema, countOf } from '../values.ts';

export const overview = defineTool({
  name: 'overview',
  title: 'Overview of the mailbox',
  description:
    'Counts the emails of the inbox and those that Mailsweep suggests to clean up, and says what this connection may do. Begin here. Changes nothing.',
  scope: 'read',
  input: z.object({}),
  output: z.object({
    connection: z.enum(['active', 'reauth_required']).meta({
      description: 'With reauth_required the user has to sign in to Mailsweep again.',
    }),
    mayAct: z.boolean().meta({ description: 'Whether this connection may plan and run cleanups.' }),
    asksUser: z.boolean().meta({
      description: 'Whether the user confirms in Mailsweep each cleanup that is run.',
    }),
    inbox: z.object({ total: CountSchema, unread: CountSchema }),
    suggestions: z.object({
      emails: CountSchema,
      sure: CountSchema.meta({ description: 'The user accepts these with a probability of 0.95 or more.' }),
      likely: CountSchema,
      check: CountSchema,
    }),
    isScanned: z.boolean().meta({
      description: 'Whether a scan has read the whole mailbox; otherwise senders and suggestions are a part.',
    }),
  }),
  run: async ({ client, requiresConfirmation, signal }) => {
    const [me, mailbox, groups] = await Promise.all([
      client.getMe({ signal }),
      client.getMailboxOverview({ signal }),
      client.listSuggestionGroups({ query: { perPage: 1 }, signal }),
    ]);
    const { inbox } = mailbox;
    return {
      summary: `The inbox has ${countOf(inbox.total, 'email')}, ${inbox.unread} of them unread. ${countOf(groups.emails, 'email')} could be cleaned up.`,
      data: {
        connection: me.connection,
        mayAct: me.token?.scope !== 'read',
        asksUser: requiresConfirmation || me.token?.requiresConfirmation === true,
        inbox: { total: inbox.total, unread: inbox.unread },
        suggestions: { emails: groups.emails, ...groups.confidence },
        isScanned: groups.complete,
      },
    };
  },
});
