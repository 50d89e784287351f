import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ignoreStrayClicks } from './stray-clicks.ts';

let takeAway: () => void;
const onClick = vi.fn((event: MouseEvent) => (event.currentTarget as Element).id);

beforeEach(() => {
  document.body.innerHTML = `
    <div role="row" id="row">An email <button id="trash">Delete</button></div>
    <div role="row" id="next-row"><label id="label">Select <input type="checkbox" id="tick" /></label></div>
    <p id="text">Words</p><button type="submit" id="save">Save</button>`;
  for (const control of document.querySelectorAll<HTMLElement>('[id]'))
    control.addEventListener('click', onClick);
  takeAway = ignoreStrayClicks(window);
});
afterEach(() => {
  takeAway();
  document.body.innerHTML = '';
  onClick.mockClear();
});

/** Clicks as a pointer does. @returns the elements that heard of it */
const click = (id: string, at: { ms: number; x?: number; y?: number; detail?: number }): string[] => {
  const { ms, x = 100, y = 100, detail = 1 } = at;
  const event = new MouseEvent('click', {
    bubbles: true,
    cancelable: true,
    detail,
    clientX: x,
    clientY: y,
  });
  Object.defineProperty(event, 'timeStamp', { value: ms });
  onClick.mockClear();
  document.getElementById(id)?.dispatchEvent(event);
  return onClick.mock.results.map(({ value }) => value);
};

test('the second click of a double click reaches the control of the first only', () => {
  expect(click('row', { ms: 0 })).toEqual(['row']);
  expect(click('trash', { ms: 200 })).toEqual([]);
  expect(click('next-row', { ms: 300, x: 110 })).toEqual([]);
  expect(click('row', { ms: 400 })).toEqual(['row']);
});

test('a control that came up where there was none is not hit by accident', () => {
  click('text', { ms: 0 });
  expect(click('trash', { ms: 120 })).toEqual([]);
});

test('a triple click hits nothing else either, and clicking goes on after half a second', () => {
  click('row', { ms: 0 });
  expect(click('trash', { ms: 300 })).toEqual([]);
  expect(click('trash', { ms: 600 })).toEqual([]);
  expect(click('trash', { ms: 1_101 })).toEqual(['trash', 'row']);
});

test('a double click submits a form once', () => {
  expect(click('save', { ms: 0 })).toEqual(['save']);
  expect(click('save', { ms: 150 })).toEqual([]);
  expect(click('save', { ms: 700 })).toEqual(['save']);
});

test('two rows are ticked as fast as the hand is', () => {
  click('row', { ms: 0, y: 100 });
  expect(click('next-row', { ms: 90, y: 144 })).toEqual(['next-row']);
});

test('clicks made by a key are left alone', () => {
  click('row', { ms: 0 });
  expect(click('trash', { ms: 20, detail: 0 })).toEqual(['trash', 'row']);
});

test('a label and what it names are one control', () => {
  expect(click('label', { ms: 0 })).toContain('tick');
  expect(click('tick', { ms: 100 })).toContain('tick');
});

test('a link is not followed by a second click that was not meant for it', () => {
  document.body.innerHTML = '<p id="text">Words</p><a id="link" href="#elsewhere">Elsewhere</a>';
  click('text', { ms: 0 });
  click('link', { ms: 100 });
  expect(window.location.hash).not.toBe('#elsewhere');
});
