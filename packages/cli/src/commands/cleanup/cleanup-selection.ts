import type { ApiClient, RequestOf } from '@mailsweep/client';
import { usageFailure } from '../../failures.ts';
import { toSenderId } from '../parts/find-sender.ts';

type CleanupRequest = RequestOf<'createCleanup'>['body'];
type Selection = CleanupRequest['selection'];
type Filters = Extract<Selection, { type: 'filter' }>;

/** The options that choose emails. */
export interface SelectionOptions {
  sender?: string[];
  suggestions?: true;
  classification?: string;
  minAcceptance?: number;
  minConfidence?: number;
  scope?: 'inbox' | 'all';
  unread?: true;
  olderThan?: number;
  category?: NonNullable<Filters['category']>;
  minAttachment?: number;
  search?: string;
}

/** The kinds of selections, with the options that each takes. */
const TAKEN: Record<'filter' | 'senders' | 'suggestions', (keyof SelectionOptions)[]> = {
  filter: ['scope', 'unread', 'olderThan', 'category', 'minAttachment', 'search'],
  senders: ['sender', 'olderThan'],
  suggestions: ['suggestions', 'classification', 'minAcceptance', 'minConfidence', 'sender', 'olderThan'],
};

const toFlag = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const chooseKind = (action: string, options: SelectionOptions): keyof typeof TAKEN => {
  const { suggestions, classification, minAcceptance, minConfidence, sender } = options;
  const isOfSuggestions = [suggestions, classification, minAcceptance, minConfidence].some(
    (value) => value !== undefined,
  );
  if (isOfSuggestions || (action === 'accept' && !sender)) return 'suggestions';
  return sender ? 'senders' : 'filter';
};

/**
 * What a cleanup takes by its options, whose combination is checked before anything is requested.
 *
 * @throws Failure
 */
export const toSelection = async (
  action: string,
  options: SelectionOptions,
  client: ApiClient,
  signal: AbortSignal,
): Promise<Selection> => {
  const kind = chooseKind(action, options);
  const given = Object.keys(options) as (keyof SelectionOptions)[];
  const stray = given.find((name) => !TAKEN[kind].includes(name));
  if (stray) {
    const others = given.filter((name) => TAKEN[kind].includes(name)).map(toFlag);
    const what = others.length > 0 ? others.join(', ') : `the action ${action}`;
    throw usageFailure(`${toFlag(stray)} can't be combined with ${what}.`);
  }
  if (given.length === 0 && kind === 'filter')
    throw usageFailure(
      'Say which emails, for example with --category promotions or --sender name@example.com.',
    );
  if (kind === 'filter') {
    const { minAttachment, ...filters } = options as Omit<Filters, 'type'> & { minAttachment?: number };
    return {
      ...filters,
      type: 'filter',
      ...(minAttachment !== undefined && { minAttachmentSize: minAttachment }),
    };
  }
  const names = options.sender ?? [];
  if (kind === 'suggestions' && names.length > 1)
    throw usageFailure('--sender can be given once beside options of suggestions.');
  const senders: string[] = [];
  for (const name of names) senders.push(await toSenderId(client, name, signal));
  const age = options.olderThan === undefined ? {} : { olderThan: options.olderThan };
  if (kind === 'senders') return { type: 'senders', senders, ...age };
  const { sender: _names, suggestions: _flag, olderThan: _age, ...filters } = options;
  const [sender] = senders;
  return {
    type: 'suggestions',
    ...(filters as Pick<SelectionOptions, 'classification' | 'minAcceptance' | 'minConfidence'>),
    ...age,
    ...(sender !== undefined && { sender }),
  };
};
