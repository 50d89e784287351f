import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Schema, Schemas } from '../compatibility/index.ts';
import {
  findBreakingChanges,
  isNewMajorVersion,
  listChangedSchemas,
  readChangesets,
  readPresentSchemas,
  readReleasedSchemas,
} from '../scripts/released-schemas.ts';

const present = readPresentSchemas();

interface ObjectSchema {
  properties: Record<string, Schema>;
  required: string[];
}

/** A definition in a JSON Schema file. */
const definition = (schemas: Schemas, file: string, name: string): ObjectSchema =>
  (schemas[file] as Schema & { $defs: Record<string, ObjectSchema> }).$defs[name] as ObjectSchema;
const email = (schemas: Schemas) => definition(schemas, 'ml-request', 'MlRequestItem');
const suggestion = (schemas: Schemas) => definition(schemas, 'ml-response', 'MlSuggestion');
const field = (of: ObjectSchema, name: string): Schema => {
  const found = of.properties[name];
  if (found === undefined) throw new Error(`There is no field ${name}.`);
  return found;
};

type Edit = (schemas: Schemas) => unknown;

const change = (edit: Edit): Schemas => {
  const schemas = structuredClone(present.schemas);
  edit(schemas);
  expect(schemas).not.toEqual(present.schemas);
  return schemas;
};

const add = (of: ObjectSchema, isRequired: boolean) => {
  of.properties.model = { type: 'string' };
  if (isRequired) of.required.push('model');
};
const without = (values: unknown[] | undefined, value: unknown) => {
  expect(values).toContain(value);
  return values?.filter((each) => each !== value) as string[];
};

/** What Mailsweep sends and a classification service reads, what the service sends, and what others read and send. */
const CHANGES: [what: string, edit: Edit, breaking: string[]][] = [
  ['a request to a service gains a required field', (it) => add(email(it), true), []],
  ['a request to a service gains an optional field', (it) => add(email(it), false), []],
  [
    'a request to a service lacks a field',
    (it) => {
      delete email(it).properties.subject;
      email(it).required = without(email(it).required, 'subject');
    },
    ['ml-request.json: `MlRequestItem.subject` is gone'],
  ],
  [
    'a request to a service can lack a field',
    (it) => {
      email(it).required = without(email(it).required, 'category');
    },
    ['ml-request.json: `MlRequestItem.category` can be left out'],
  ],
  [
    'a request to a service has another value, which services refuse',
    (it) => field(email(it), 'category').enum?.push('spam'),
    ['ml-request.json: the value "spam" of `MlRequestItem.category` is new'],
  ],
  [
    'a request to a service can have a smaller number',
    (it) => delete field(email(it), 'attachmentSizeMb').minimum,
    ['ml-request.json: `minimum` of `MlRequestItem.attachmentSizeMb` was 0 and is nothing'],
  ],
  [
    'a request to a service has a narrower number',
    (it) => {
      field(email(it), 'attachmentSizeMb').maximum = 100;
    },
    [],
  ],
  [
    'a request to a service has null',
    (it) => {
      field(email(it), 'subject').type = ['string', 'null'];
    },
    ['ml-request.json: `MlRequestItem.subject` can be null'],
  ],
  [
    'a request to a service has dates in another form',
    (it) => delete field(email(it), 'date').pattern,
    [expect.stringContaining('ml-request.json: `pattern` of `MlRequestItem.date` was ') as unknown as string],
  ],
  [
    'the response of a service must have another field',
    (it) => add(suggestion(it), true),
    ['ml-response.json: `MlSuggestion.model` is required'],
  ],
  ['the response of a service may have another field', (it) => add(suggestion(it), false), []],
  [
    'the response of a service may lack a field',
    (it) => {
      suggestion(it).required = without(suggestion(it).required, 'classification');
    },
    [],
  ],
  [
    'the response of a service must be shorter',
    (it) => {
      field(suggestion(it), 'action').maxLength = 20;
    },
    ['ml-response.json: `maxLength` of `MlSuggestion.action` was 50 and is 20'],
  ],
  [
    'the response of a service may be longer',
    (it) => {
      field(suggestion(it), 'action').maxLength = 80;
    },
    [],
  ],
  [
    'the response of a service takes only some actions',
    (it) => {
      field(suggestion(it), 'action').enum = ['archive'];
    },
    ['ml-response.json: `MlSuggestion.action` takes only "archive"'],
  ],
  [
    'the webhook has another field',
    (it) => add(definition(it, 'event-suggestions-generated', 'Suggestion'), true),
    [],
  ],
  [
    'an event can lack a field',
    (it) => {
      const event = definition(it, 'event-suggestions-generated', 'Suggestion');
      event.required = without(event.required, 'action');
    },
    ['event-suggestions-generated.json: `Suggestion.action` can be left out'],
  ],
  [
    'a request of a client must have another field',
    (it) => add(definition(it, 'undo-request', 'UndoRequest'), true),
    ['undo-request.json: `UndoRequest.model` is required'],
  ],
  [
    'a response to a client has another field',
    (it) => add(definition(it, 'email-with-suggestions', 'Suggestion'), true),
    [],
  ],
  ['a schema is gone', (it) => delete it['webhook-body'], ['webhook-body.json is gone']],
  [
    'a schema is new',
    (it) => {
      it.new = { type: 'string' };
    },
    [],
  ],
  [
    'words change',
    (it) => {
      field(suggestion(it), 'action').description = 'What to do.';
    },
    [],
  ],
];

describe('a change of the JSON Schemas', () => {
  it.each(CHANGES)('%s', (_, edit, breaking) => {
    expect(findBreakingChanges(present.schemas, change(edit))).toEqual(breaking);
  });
});

describe('the present schemas', () => {
  const released = readReleasedSchemas();

  it('break nobody who uses those of the last release, unless the next version is a major one', () => {
    const isExpected = isNewMajorVersion(released.version, present.version, readChangesets());
    expect(isExpected ? [] : findBreakingChanges(released.schemas, present.schemas)).toEqual([]);
  });

  it('are named in the changelog where they have changed', () => {
    const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
    const [, unreleased = ''] = changelog.split(/^## /m);
    const changed = listChangedSchemas(released.schemas, present.schemas);
    expect(changed.filter((name) => !unreleased.includes(`\`${name}.json\``))).toEqual([]);
  });

  it('are found to have changed by any difference', () => {
    const changed = change((it) => {
      add(email(it), false);
      delete it['webhook-body'];
    });
    expect(listChangedSchemas(present.schemas, changed)).toEqual(['ml-request', 'webhook-body']);
  });
});

describe('a new major version', () => {
  const changeset = (bump: string) => `---\n"mailsweep": ${bump}\n---\n\nWhat is new: major things.\n`;

  it.each([
    ['0.1.0', '1.0.0', [], true],
    ['9.4.0', '10.0.0', [], true],
    ['1.2.0', '1.3.0', [], false],
    ['1.2.0', '1.2.0', [changeset('minor'), changeset('patch')], false],
    ['1.2.0', '1.2.0', [changeset('minor'), changeset('major')], true],
  ])('from %s to %s with %j: %j', (before, after, changesets, expected) => {
    expect(isNewMajorVersion(before, after, changesets)).toBe(expected);
  });
});
