import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { lazyPart, preloadParts } from './lazy-part.ts';
import { PartBoundary } from './part-boundary.tsx';

const SCRIPT = '/assets/index-one.js';

beforeEach(() => {
  const script = document.createElement('script');
  script.setAttribute('src', SCRIPT);
  // After the script is in the page, so that it does not run.
  script.type = 'text/plain';
  document.head.append(script);
  script.type = 'module';
  // React logs every error that a boundary catches.
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  document.head.innerHTML = '';
});

describe('a part of the app', () => {
  it('is requested again by itself once', async () => {
    const part = createPart({ failures: 1 });
    await renderInApp(<part.Part />);
    await shown('The part');
    expect(part.attempts()).toBe(2);
  });

  it('that cannot be had leaves the screen in place, and trying again brings it', async () => {
    serve(SCRIPT);
    const part = createPart({ failures: 2 });
    await renderInApp(
      <>
        <p>The screen</p>
        <part.Part />
      </>,
    );
    await shown('Part of Mailsweep did not load.');
    screen.getByText('The screen');
    await act(async () => screen.getByRole('button', { name: 'Try again' }).click());
    await shown('The part');
  });

  it('comes by itself with the network', async () => {
    serve(SCRIPT);
    const part = createPart({ failures: 2 });
    await renderInApp(<part.Part />);
    await shown('Part of Mailsweep did not load.');
    // The listener exists once effects have run.
    await act(async () => undefined);
    window.dispatchEvent(new Event('online'));
    await shown('The part');
  });

  it('that a newer build no longer has leads to that build', async () => {
    serve('/assets/index-two.js');
    const part = createPart({ failures: 99 });
    await renderInApp(<part.Part />);
    await shown('A new version is available.');
    screen.getByRole('button', { name: 'Reload' });
  });

  it('that could not be loaded beforehand is requested when it is needed', async () => {
    serve(SCRIPT);
    const part = createPart({ failures: 2 });
    await preloadParts();
    await renderInApp(<part.Part />);
    await shown('The part');
    expect(part.attempts()).toBe(3);
  });

  it('that is loaded beforehand is drawn at once', async () => {
    const part = createPart({ failures: 0 });
    await preloadParts();
    render(<part.Part />);
    screen.getByText('The part');
  });
});

/** A second attempt follows after a moment. */
const shown = (text: string) => screen.findByText(text, undefined, { timeout: 4_000 });

/** Lets the server's page use this script. */
const serve = (script: string) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    async () => new Response(`<script type="module" src="${script}"></script>`),
  );
};

/** A part that fails to load so many times, within a boundary. */
const createPart = ({ failures }: { failures: number }) => {
  let attempts = 0;
  const Lazy = lazyPart(async () => {
    attempts += 1;
    if (attempts <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <p>The part</p>;
  });
  return {
    Part: () => (
      <PartBoundary>
        <Lazy />
      </PartBoundary>
    ),
    attempts: () => attempts,
  };
};
