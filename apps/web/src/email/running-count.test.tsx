import { render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { RunningCount } from './running-count.tsx';

describe('a count that runs', () => {
  it('passes values in between on its way down, and ends at the new one', async () => {
    const { container, rerender } = render(<RunningCount count={1_000} />);
    expect(container.textContent).toBe('1,000');
    const seen: number[] = [];
    new MutationObserver(() => seen.push(toNumber(container))).observe(container, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    rerender(<RunningCount count={200} />);
    await screen.findByText('200');
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual(seen.toSorted((one, other) => other - one));
  });

  it('changes at once where the user prefers no motion', () => {
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      Object.defineProperty(matchMedia.call(window, query), 'matches', { value: query.includes('reduce') }),
    );
    const { container, rerender } = render(<RunningCount count={1_000} />);
    rerender(<RunningCount count={200} />);
    expect(container.textContent).toBe('200');
  });
});

const toNumber = ({ textContent }: HTMLElement): number => Number(textContent?.replaceAll(',', ''));
