import type { ApiClient } from '@mailsweep/client';
import type { ActionBatch, CleanupPlan } from '@mailsweep/contracts';

/** Reorder the text around them (Unicode UAX 9): `gpj.exe` can look like `exe.jpg`. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

/** Removes characters that reorder text. */
export const toDisplayText = (text: string): string => text.replace(BIDI_CONTROLS, '');

interface TextOfEmail {
  from?: string | null;
  newestFrom?: string;
  subject?: string;
  snippet?: string;
}

const clean = <E extends TextOfEmail>(email: E): E => {
  const cleaned = { ...email };
  for (const field of ['from', 'newestFrom', 'subject', 'snippet'] as const) {
    const text = email[field];
    if (typeof text === 'string') cleaned[field] = toDisplayText(text);
  }
  return cleaned;
};

const cleanPlan = (plan: CleanupPlan): CleanupPlan => ({ ...plan, sample: plan.sample.map(clean) });

const cleanBatch = (batch: ActionBatch): ActionBatch => ({
  ...batch,
  senders: { ...batch.senders, top: batch.senders.top.map(clean) },
});

/** Makes a client return texts that are safe to show. */
export const withDisplayText = (client: ApiClient): ApiClient => {
  const inEmails = <R extends { emails: TextOfEmail[] }>(response: R): R => ({
    ...response,
    emails: response.emails.map(clean),
  });
  const inData = <R extends { data: TextOfEmail[] }>(response: R): R => ({
    ...response,
    data: response.data.map(clean),
  });
  return {
    ...client,
    listEmails: async (request) => inEmails(await client.listEmails(request)),
    listSuggestions: async (request) => inEmails(await client.listSuggestions(request)),
    lookUpEmails: async (request) => inEmails(await client.lookUpEmails(request)),
    readConversation: async (request) => inEmails(await client.readConversation(request)),
    listSenders: async (request) => inData(await client.listSenders(request)),
    listActionBatches: async (request) => {
      const page = await client.listActionBatches(request);
      return { ...page, data: page.data.map(cleanBatch) };
    },
    listBatchSenders: async (request) => inData(await client.listBatchSenders(request)),
    createCleanup: async (request) => cleanPlan(await client.createCleanup(request)),
    getCleanup: async (request) => cleanPlan(await client.getCleanup(request)),
    listCleanupEmails: async (request) => {
      const page = await client.listCleanupEmails(request);
      return {
        ...page,
        data: page.data.map((item) => ({ ...item, email: item.email && clean(item.email) })),
      };
    },
    listSuggestionGroups: async (request) => inData(await client.listSuggestionGroups(request)),
    listStoredSuggestions: async (request) => inData(await client.listStoredSuggestions(request)),
    listSenderEmails: async (request) => inData(await client.listSenderEmails(request)),
  };
};
