import { describe, expect, it } from 'vitest';
import { seedMailboxes } from './seed-mailboxes.ts';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');
const MS_PER_DAY = 86_400_000;
const MB = 1024 * 1024;
const [ada, grace, katherine, dorothy] = seedMailboxes(NOW_MS);
const messages = ada?.messages ?? [];
const withLabel = (label: string) => messages.filter(({ labels }) => labels.includes(label));

describe('the seeded mailboxes', () => {
  it('are a full, a small and an empty one', () => {
    expect(messages.length).toBeGreaterThan(1_400);
    expect(messages.length).toBeLessThan(1_600);
    expect(grace?.messages.length).toBeGreaterThan(120);
    expect(grace?.messages.length).toBeLessThan(180);
    expect(katherine?.messages).toEqual([]);
  });

  it('are in one case without categories', () => {
    const labels = dorothy?.messages.flatMap((message) => message.labels) ?? [];
    expect(dorothy?.messages.length).toBeGreaterThan(50);
    expect(labels.filter((label) => label.startsWith('CATEGORY_'))).toEqual([]);
  });

  it('hold drafts of their own and chats, which have no other label', () => {
    for (const label of ['DRAFT', 'CHAT']) {
      const found = withLabel(label);
      expect(found.length).toBeGreaterThan(2);
      expect(new Set(found.map(({ labels }) => labels.join()))).toEqual(new Set([label]));
    }
    expect(withLabel('DRAFT').every(({ from }) => from.includes('<ada@example.com>'))).toBe(true);
  });

  it('hold conversations of several messages, with what the user wrote back under SENT alone', () => {
    const conversations = [...Map.groupBy(messages, ({ threadId }) => threadId).values()];
    const inInbox = conversations.map((own) => own.filter(({ labels }) => labels.includes('INBOX')));
    expect(inInbox.filter((own) => own.length > 1).length).toBeGreaterThan(20);
    expect(conversations.every((own) => own.some(({ id, threadId }) => id === threadId))).toBe(true);
    const sent = withLabel('SENT');
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.every(({ labels, from }) => labels.length === 1 && from.includes('<ada@'))).toBe(true);
    expect(sent.every(({ id, threadId }) => id !== threadId)).toBe(true);
  });

  it('are the same for the same instant, and have other ids for another', () => {
    expect(seedMailboxes(NOW_MS)).toEqual([ada, grace, katherine, dorothy]);
    const later = seedMailboxes(NOW_MS + MS_PER_DAY)[0]?.messages ?? [];
    const ids = new Set(messages.map(({ id }) => id));
    expect(ids.size).toBe(messages.length);
    expect(later.some(({ id }) => ids.has(id))).toBe(false);
  });

  it('reach back three years and never into the future', () => {
    const instants = messages.map(({ receivedAtMs }) => receivedAtMs);
    expect(Math.max(...instants)).toBeLessThan(NOW_MS);
    expect(Math.max(...instants)).toBeGreaterThan(NOW_MS - 3 * MS_PER_DAY);
    expect(Math.min(...instants)).toBeLessThan(NOW_MS - 1_000 * MS_PER_DAY);
  });

  it('hold about a thousand mails in the inbox, some archived, some spam and trash', () => {
    expect(withLabel('INBOX').length).toBeGreaterThan(900);
    expect(withLabel('INBOX').length).toBeLessThan(1_100);
    expect(withLabel('SPAM').length).toBeGreaterThan(5);
    expect(withLabel('TRASH').length).toBeGreaterThan(2);
  });

  it('mix read and unread mail of every category', () => {
    for (const category of ['PROMOTIONS', 'SOCIAL', 'UPDATES', 'FORUMS', 'PERSONAL']) {
      const mails = withLabel(`CATEGORY_${category}`);
      const unread = mails.filter(({ labels }) => labels.includes('UNREAD'));
      expect(unread.length).toBeGreaterThan(0);
      expect(unread.length).toBeLessThan(mails.length);
    }
    expect(messages.some(({ labels }) => !labels.some((label) => label.startsWith('CATEGORY_')))).toBe(true);
  });

  it('have more than ten old, unread promotions in the inbox, so that suggestions are worth publishing', () => {
    const old = withLabel('CATEGORY_PROMOTIONS').filter(
      ({ labels, receivedAtMs }) =>
        labels.includes('INBOX') && labels.includes('UNREAD') && receivedAtMs < NOW_MS - 180 * MS_PER_DAY,
    );
    expect(old.length).toBeGreaterThan(10);
  });

  it('have attachments of all sizes, up to 25 MB', () => {
    const sizes = messages.flatMap(({ attachments }) => attachments.map(({ sizeBytes }) => sizeBytes));
    expect(sizes.filter((size) => size > 10 * MB).length).toBeGreaterThan(10);
    expect(Math.max(...sizes)).toBeGreaterThan(20 * MB);
    const totals = messages.map(({ attachments }) =>
      attachments.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    );
    expect(Math.max(...totals)).toBeLessThanOrEqual(25 * MB);
    expect(Math.min(...sizes)).toBeLessThan(20 * 1024);
  });

  it('have invitations in the inbox', () => {
    const invitations = withLabel('INBOX').filter(({ attachments }) =>
      attachments.some(({ filename }) => filename === 'invite.ics'),
    );
    expect(invitations.length).toBeGreaterThan(10);
  });

  it('speak several languages, right-to-left ones, emoji and encoded words among them', () => {
    const subjects = messages.map(({ subject }) => subject).join('\n');
    for (const script of ['Hebrew', 'Arabic', 'Hiragana']) {
      expect(subjects).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    }
    expect(subjects).toMatch(/\p{Emoji_Presentation}/u);
    expect(subjects).toMatch(/=\?UTF-8\?B\?.+\?=/);
    expect(subjects).toMatch(/[äöüß]/);
    expect(subjects).not.toMatch(/\{\w+\}/);
  });
});
