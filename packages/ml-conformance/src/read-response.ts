import { SuggestedActionSchema, SuggestionSchema } from '@mailsweep/contracts';
import { type Clause, describeResponse, type Finding } from './clauses.ts';
import type { Exchange } from './service.ts';

/** More are cut by the API. */
const MAX_SUGGESTIONS = 10;

type Entry = readonly [id: string, suggestions: unknown];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of a response in one of the documented forms; null in any other. */
const readEntries = (json: unknown): Entry[] | null => {
  if (Array.isArray(json)) {
    const entries = json.map((item: unknown): Entry | null =>
      isObject(item) && typeof item.id === 'string' ? [item.id, item.suggestions] : null,
    );
    return entries.every((entry) => entry !== null) ? entries : null;
  }
  if (!isObject(json)) return null;
  const map = Object.hasOwn(json, 'suggestionsById') ? json.suggestionsById : json;
  if (!isObject(map)) return null;
  const entries = Object.entries(map);
  return entries.every(([, suggestions]) => Array.isArray(suggestions)) ? entries : null;
};

/** A finding without the exchange it was made in; an error unless it says otherwise. */
type Fault = Omit<Finding, 'exchange' | 'severity' | 'emails'> & {
  severity?: Finding['severity'];
  emails?: readonly string[];
};

/**
 * Reads a response that has to be one of success, and collects everything in it that the contract does not allow.
 *
 * @param sentIds - the ids of the emails sent
 * @param refusal - the clause that a response other than 200 breaks
 */
export const readSuccess = (
  exchange: Exchange,
  sentIds: readonly string[],
  refusal: Clause,
): { findings: Finding[]; byId: Map<string, unknown> } => {
  const findings: Finding[] = [];
  const found = ({ severity = 'error', emails = [], ...sort }: Fault): void => {
    const index = findings.findIndex(({ what }) => what === sort.what);
    const known = findings[index];
    const all = [...new Set([...(known?.emails ?? []), ...emails])];
    findings.splice(known ? index : findings.length, 1, { severity, ...sort, emails: all, exchange });
  };
  const byId = new Map<string, unknown>();
  const { response } = exchange;
  if (response?.status !== 200) {
    found({
      clause: refusal,
      what: `a valid request got ${describeResponse(exchange)}`,
      change:
        response === undefined
          ? 'see whether the service runs at this address'
          : 'respond with 200 and the suggestions for each email',
    });
    return { findings, byId };
  }
  if (!/^application\/json\b/i.test(response.contentType)) {
    found({
      clause: 'response-json',
      what: `the media type is ${JSON.stringify(response.contentType)}`,
      change: 'send the header Content-Type: application/json',
    });
  }
  if (response.json === undefined) {
    found({ clause: 'response-json', what: 'the body is no JSON', change: 'send a JSON array' });
    return { findings, byId };
  }
  const entries = readEntries(response.json);
  if (entries === null) {
    found({
      clause: 'response-form',
      what: 'the body has none of the documented forms',
      change: 'send [{ "id": "…", "suggestions": [ … ] }], an item for each email',
    });
    return { findings, byId };
  }
  for (const finding of [...checkIds(entries, sentIds), ...entries.flatMap(checkSuggestions)]) found(finding);
  return { findings, byId: new Map(entries) };
};

const checkIds = (entries: readonly Entry[], sentIds: readonly string[]): Fault[] => {
  const ids = entries.map(([id]) => id);
  const faults = {
    missing: sentIds.filter((id) => !ids.includes(id)),
    doubled: ids.filter((id, index) => ids.indexOf(id) !== index),
    foreign: ids.filter((id) => !sentIds.includes(id)),
  };
  const change = {
    missing: 'send an item for each email, with an empty list where there is nothing to suggest',
    doubled: 'put all suggestions for an email into one item',
    foreign: 'send only ids of the same request, spelled as they came',
  };
  return (Object.keys(faults) as (keyof typeof faults)[])
    .filter((fault) => faults[fault].length > 0)
    .map((fault) => ({
      clause: 'response-ids',
      what: `ids are ${fault}`,
      emails: faults[fault],
      change: change[fault],
    }));
};

const checkSuggestions = ([id, suggestions]: Entry): Fault[] => {
  if (!Array.isArray(suggestions)) {
    return [
      {
        clause: 'response-suggestion',
        what: 'the suggestions for an email are no list',
        emails: [id],
        change: 'send a list; an empty one where there is nothing to suggest',
      },
    ];
  }
  const tooMany: Fault[] =
    suggestions.length > MAX_SUGGESTIONS
      ? [
          {
            clause: 'response-size',
            severity: 'warning',
            what: 'more than ten suggestions for an email: only the ten most confident are kept',
            emails: [id],
            change: 'send ten at most',
          },
        ]
      : [];
  return [...tooMany, ...suggestions.flatMap((suggestion: unknown) => checkSuggestion(id, suggestion))];
};

const checkSuggestion = (id: string, suggestion: unknown): Fault[] => {
  const reading = SuggestionSchema.safeParse(suggestion);
  if (!reading.success) {
    return reading.error.issues.map((issue) => ({
      clause: 'response-suggestion',
      what: `a suggestion: ${issue.path.join('.') || 'it'}: ${issue.message}`,
      emails: [id],
      change:
        'send { "action": text, "classification": text, "confidence_score": number from 0 to 1 }; anything else is dropped',
    }));
  }
  const { action } = reading.data;
  if (SuggestedActionSchema.safeParse(action).success) return [];
  return [
    {
      clause: 'response-suggestion',
      severity: 'info',
      what: `the action ${JSON.stringify(action)} is shown as advice: accepting it changes nothing in the mailbox`,
      emails: [id],
      change: `send one of ${SuggestedActionSchema.options.join(', ')} where Mailsweep is to act`,
    },
  ];
};
