import { describe, expect, it } from 'vitest';
import { toCategory, toCategoryLabel } from './labels.ts';

describe('the category of an email', () => {
  it.each([
    ['CATEGORY_PROMOTIONS', 'promotions'],
    ['CATEGORY_SOCIAL', 'social'],
    ['CATEGORY_UPDATES', 'updates'],
    ['CATEGORY_FORUMS', 'forums'],
    ['CATEGORY_PERSONAL', 'primary'],
  ] as const)('follows the label %s', (label, category) => {
    expect(toCategory(['INBOX', label])).toBe(category);
  });

  it('is primary without any category label', () => {
    expect(toCategory([])).toBe('primary');
    expect(toCategory(['INBOX', 'UNREAD', 'Label_1'])).toBe('primary');
  });

  it('is the same whatever the order of the labels', () => {
    expect(toCategory(['CATEGORY_UPDATES', 'CATEGORY_PROMOTIONS'])).toBe('promotions');
    expect(toCategory(['CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES'])).toBe('promotions');
    expect(toCategory(['CATEGORY_PERSONAL', 'CATEGORY_FORUMS'])).toBe('forums');
  });

  it('has a label of its own, primary excepted', () => {
    expect(toCategoryLabel('social')).toBe('CATEGORY_SOCIAL');
    expect(toCategoryLabel('primary')).toBeUndefined();
  });
});
