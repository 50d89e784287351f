import { ProblemError } from '@mailsweep/client';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { KeyboardProvider } from '../../keyboard/keyboard-context.tsx';
import { LanguageProvider } from '../../language/language-provider.tsx';
import { InboxBody } from '../list/inbox-body.tsx';
import { SearchField } from './filter-bar.tsx';
import { type InboxFilters, toFindWords, toSearch } from './inbox-filters.ts';

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search the mailbox' });

describe('the search field', () => {
  it('filters the loaded emails while the user types, and searches all mail with Enter', async () => {
    const filters = renderField({ category: 'promotions' });
    await userEvent.type(field(), 'garden ');
    expect(filters()).toEqual({ category: 'promotions', find: 'garden ' });
    await userEvent.keyboard('{Enter}');
    expect(filters()).toEqual({ category: 'promotions', q: 'garden', scope: 'all' });
    expect(field().value).toBe('garden');
    expect(document.activeElement).not.toBe(field());
  });

  it('offers the search as a button, and its end, which leads back to the inbox', async () => {
    const filters = renderField({});
    expect(screen.queryByRole('button')).toBeNull();
    await userEvent.type(field(), 'tax');
    await userEvent.click(screen.getByRole('button', { name: 'Search all mail' }));
    expect(filters()).toEqual({ q: 'tax', scope: 'all' });
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(filters()).toEqual({});
    expect(document.activeElement).toBe(field());
  });

  it('filters what was found by more words, and searches for those with Enter', async () => {
    const filters = renderField({ q: 'tax', scope: 'all' });
    await userEvent.type(field(), ' 2025');
    expect(filters()).toEqual({ q: 'tax', scope: 'all', find: 'tax 2025' });
    await userEvent.keyboard('{Enter}');
    expect(filters()).toEqual({ q: 'tax 2025', scope: 'all' });
  });

  it('leaves operators to the search', () => {
    expect(toFindWords({ find: 'from:shop Tax -label:work 10:30' })).toEqual(['tax']);
  });

  it('does nothing with Enter where nothing is new', async () => {
    const filters = renderField({ q: 'tax', scope: undefined });
    await userEvent.type(field(), '{Enter}');
    expect(filters()).toEqual({ q: 'tax' });
  });
});

describe('a search without a result', () => {
  it('names what was searched for, and the filters that apply as well', async () => {
    const onChange = renderBody({ q: 'tax', scope: 'all', unread: true });
    await screen.findByRole('heading', { name: 'No email matches “tax”' });
    await userEvent.click(screen.getByRole('button', { name: 'Clear the filters' }));
    expect(onChange).toHaveBeenLastCalledWith(
      expect.objectContaining({ q: 'tax', scope: 'all', unread: undefined }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(onChange).toHaveBeenLastCalledWith({ q: undefined, find: undefined, scope: undefined });
  });

  it('says what is wrong with it, in the words of the API', async () => {
    const message = 'has a quotation mark without its counterpart';
    renderBody({ q: '"tax' }, wrongSearch(message));
    expect((await screen.findByRole('alert')).textContent).toContain(`"tax ${message}.`);
    screen.getByRole('button', { name: 'Clear the search' });
  });
});

const wrongSearch = (message: string) =>
  new ProblemError({
    type: 'about:blank',
    title: 'Bad request',
    status: 400,
    detail: 'The request is not valid.',
    instance: '/api/v1/emails',
    code: 'validation_failed',
    requestId: 'request-1',
    errors: [{ path: 'search', message }],
  });

/** The field alone, with the address in a variable. */
const renderField = (initial: InboxFilters) => {
  let latest = initial;
  const Field = () => {
    const [filters, setFilters] = useState(initial);
    latest = filters;
    const change = (part: Partial<InboxFilters>) => setFilters((current) => ({ ...current, ...part }));
    return <SearchField filters={filters} onChange={change} onSearch={(words) => change(toSearch(words))} />;
  };
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <KeyboardProvider>
          <Field />
        </KeyboardProvider>
      </LanguageProvider>
    </MantineProvider>,
  );
  return () => JSON.parse(JSON.stringify(latest)) as InboxFilters;
};

/** The body of an empty list. */
const renderBody = (filters: InboxFilters, error: Error | null = null) => {
  const onChange = vi.fn<(change: Partial<InboxFilters>) => void>();
  const list = { emails: [], loadedCount: 0, isPending: false, hasNextPage: false, error };
  const props = { list, filters, onChange, onSearch: vi.fn(), onOpen: vi.fn() };
  render(
    <MantineProvider env="test">
      <LanguageProvider>
        <InboxBody {...(props as unknown as ComponentProps<typeof InboxBody>)} />
      </LanguageProvider>
    </MantineProvider>,
  );
  return onChange;
};
