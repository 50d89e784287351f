import type { ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { sampleScan, sampleSuggestionGroup } from '../testing/sample-email.ts';
import { SuggestionsScreen } from './suggestions-screen.tsx';

const NEWS = sampleSuggestionGroup({ from: 'News <news@example.org>', emails: 3 });
type Confidence = ListSuggestionGroupsResponse['confidence'];

describe('the suggestions', () => {
  it.each([
    [{ sure: 3, likely: 2, check: 1 }, 'Safe to clean 3'],
    [{ sure: 0, likely: 2, check: 1 }, 'Safe or probable 2'],
    [{ sure: 0, likely: 0, check: 1 }, 'All 1'],
  ])('are the surest that there are: %o', async (confidence, shown) => {
    const { address } = renderSuggestions(confidence);
    await screen.findByRole('radio', { name: shown, checked: true });
    expect(address()).toBe('/suggestions');
  });

  it.each([
    [{ archive: 2, delete: 1 }, 'Archive 2, trash 1'],
    [{ archive: 1, read_first: 2 }, 'Archive 1'],
    [{ read_first: 3 }, undefined],
  ])(
    'of %o have a button that says what it does: %o; advice is information alone',
    async (actions, words) => {
      renderSuggestions({ sure: 3, likely: 0, check: 0 }, sampleSuggestionGroup({ ...NEWS, actions }));
      await screen.findByRole('button', { name: /^Reject 3/ });
      const buttons = screen.getAllByRole('button', { name: /^Archive|^Accept all/ });
      expect(buttons.map(({ textContent }) => textContent)).toEqual(
        words === undefined ? ['Accept all'] : [`${words}…`, `${words}Y`],
      );
      expect(buttons[0]?.hasAttribute('disabled')).toBe(words === undefined);
      if (Object.hasOwn(actions, 'read_first')) await screen.findByText(/Advice: read first, for/);
    },
  );

  it('stay as sure as they were shown first, when none of those is left', async () => {
    const { api, queryClient } = renderSuggestions({ sure: 0, likely: 2, check: 1 });
    await screen.findByRole('radio', { name: 'Safe or probable 2', checked: true });
    api.confidence = { sure: 0, likely: 0, check: 1 };
    await queryClient.invalidateQueries();
    await screen.findByRole('radio', { name: 'Safe or probable', checked: true });
  });
});

const renderSuggestions = (confidence: Confidence, group = NEWS) => {
  const api = { confidence };
  const respond = ({ pathname, searchParams }: URL): unknown => {
    if (pathname === '/api/v1/suggestions/groups') {
      const least = Number(searchParams.get('minAcceptance') ?? 0);
      const { sure, likely, check } = api.confidence;
      const emails = sure + (least <= 0.75 ? likely : 0) + (least === 0 ? check : 0);
      const data = emails > 0 ? [group] : [];
      const totals = { emails, actions: group.actions, confidence: api.confidence };
      return { ...totals, complete: true, scannedAt: null, total: data.length, page: 1, perPage: 100, data };
    }
    if (pathname === '/api/v1/suggestions') return { emails: [], classified: true, nextPageToken: null };
    const data = pathname === '/api/v1/scans' ? [sampleScan({ state: 'completed' })] : [];
    return { total: data.length, page: 1, perPage: 1, data };
  };
  return { ...renderAtRoute(SuggestionsScreen, respond, '/suggestions'), api };
};
