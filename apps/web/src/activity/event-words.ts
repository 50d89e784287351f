import {
  type NotificationEventRecord,
  type SuggestedAction,
  SuggestionsConfirmedSummarySchema,
  SuggestionsGeneratedSummarySchema,
} from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';

/** An event in words. */
export interface EventWords {
  kind: 'generated' | 'accepted' | 'rejected' | 'other';
  title: string;
  detail: string;
}

const ACTION_PHRASES: Record<SuggestedAction, string> = {
  archive: 'to archive',
  delete: 'for the trash',
  label: 'to label',
  notify: 'to keep',
};

const describeCounts = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([action, count]) => `${formatCount(count)} ${ACTION_PHRASES[action as SuggestedAction] ?? action}`)
    .join(' · ');

/** Says what an event of the timeline is about. */
export const describeEvent = (event: NotificationEventRecord): EventWords => {
  const generated = SuggestionsGeneratedSummarySchema.safeParse(event.summary);
  if (generated.success) {
    const { totalSuggestions, actionCounts } = generated.data;
    return {
      kind: 'generated',
      title:
        totalSuggestions === 1 ? '1 suggestion shown' : `${formatCount(totalSuggestions)} suggestions shown`,
      detail: describeCounts(actionCounts),
    };
  }
  const confirmed = SuggestionsConfirmedSummarySchema.safeParse(event.summary);
  if (confirmed.success) {
    const emails = countEmails(confirmed.data.totalConfirmed);
    return confirmed.data.action === 'accept'
      ? { kind: 'accepted', title: `You accepted suggestions for ${emails}`, detail: '' }
      : { kind: 'rejected', title: `You rejected suggestions for ${emails}`, detail: '' };
  }
  return { kind: 'other', title: event.type, detail: '' };
};
