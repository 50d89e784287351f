import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { EmailCategorySchema } from '@mailsweep/contracts';
import { z } from 'zod';
import { type LabelledEmail, NONE } from '../labelled-email.ts';

const ACTIONS = {
  nothing: [NONE],
  clear: ['archive', 'delete'],
  receipt: ['label'],
  large: ['label'],
  notify: ['notify'],
} satisfies Record<string, LabelledEmail['actions']>;

/** What a careful user would want of an email, what it is about, age in days, `u`nread or `r`ead, and category. */
const HeadSchema = z.tuple([
  z.enum(Object.keys(ACTIONS) as [keyof typeof ACTIONS]),
  z.string(),
  z.coerce.number().int().min(0),
  z.enum(['u', 'r']),
  EmailCategorySchema,
]);
const LineSchema = z.union([
  z.tuple([z.string(), z.string(), z.string()]),
  z.tuple([z.string(), z.string(), z.string(), z.coerce.number().positive()]),
]);
const LANGUAGE = /^# language: ([a-z]{2,3})$/;
const MS_PER_DAY = 86_400_000;

/** In the sources and beside the bundle of the command line. */
const FOLDER = new URL('./emails/', import.meta.url);

const readFile = (name: string, now: Date): LabelledEmail[] => {
  let language: string | undefined;
  return readFileSync(new URL(name, FOLDER), 'utf8')
    .split('\n')
    .flatMap((line, index): LabelledEmail[] => {
      if (line.startsWith('#')) language = LANGUAGE.exec(line)?.[1];
      if (line === '' || line.startsWith('#')) return [];
      const [head, from, subject, attachmentSizeMb = 0] = LineSchema.parse(line.split(' | '));
      const [wanted, kind, ageDays, state, category] = HeadSchema.parse(head.split(' '));
      const date = new Date(now.getTime() - ageDays * MS_PER_DAY).toISOString();
      const id = `${name}-${index + 1}`;
      return [
        {
          email: { id, from, subject, date, isRead: state === 'r', category, attachmentSizeMb },
          actions: ACTIONS[wanted],
          kind,
          language,
        },
      ];
    });
};

/** Below country codes, such as in `shop.co.uk`. */
const SECOND_LEVELS = new Set('co com or org ne net gov gob gouv govt ac edu go nhs'.split(' '));

const toRegisteredDomain = (from: string): string => {
  const labels = from
    .slice(from.lastIndexOf('@') + 1)
    .replace('>', '')
    .toLowerCase()
    .split('.');
  return labels.slice(SECOND_LEVELS.has(labels.at(-2) ?? '') ? -3 : -2).join('.');
};

/** Whose addresses belong to many who have nothing to do with each other. */
const COMMON_PROVIDER =
  /@(?:gmail|googlemail|gmx|web|outlook|hotmail|live|yahoo|icloud|me|aol|proton|protonmail|orange|free|laposte|wanadoo|libero|alice|virgilio|terra|uol|bol|sapo|t-online|posteo|mail|post|ziggo|kpnmail|wp|o2|onet|interia|naver|docomo|qq|163|yandex|ukr)\.(?:co\.|com\.)?[a-z]+>?\s*$/i;

export type Part = 'training' | 'held out';

/** By the domain that its sender registered, whatever else is in the set: of ten, one is held out. */
const toPart = (from: string): Part => {
  const key = COMMON_PROVIDER.test(from) ? from : toRegisteredDomain(from);
  const digest = createHash('sha256').update(key).digest();
  return digest.readUInt32BE() % 5 === 0 && (digest[4] ?? 0) % 2 === 1 ? 'held out' : 'training';
};

/**
 * Emails labelled by hand (docs/CLASSIFIER.md), with dates as many days before `now` as they were old then. All emails of
 * a sender's domain are in the same part, so that what is held out comes from senders who are not in training.
 */
export const readLabelledSet = (now: Date, part: Part): LabelledEmail[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .toSorted()
    .flatMap((name) => readFile(name, now))
    .filter(({ email }) => toPart(email.from) === part);
