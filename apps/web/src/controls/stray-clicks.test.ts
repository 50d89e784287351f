import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ignoreStrayClicks } from './stray-clicks.ts';

let guard: ReturnType<typeof ignoreStrayClicks>;
const onClick = vi.fn((event: MouseEvent) => (event.currentTarget as Element).id);

beforeEach(() => {
  document.body.innerHTML = `
    <div role="row" id="row">An email <button id="trash">Delete</button></div>
    <div role="row" id="next-row"><label id="label">Select <input type="checkbox" id="tick" /></label></div>
    <label id="turn">Turn on <input type="checkbox" role="switch" id="switch" /></label>
    <button id="unfold" aria-expanded="false">More</button><input id="field" />
    <p id="text">Words</p><button type="submit" id="save">Save</button>`;
  for (const control of document.querySelectorAll<HTMLElement>('[id]'))
    control.addEventListener('click', onClick);
  guard = ignoreStrayClicks(window);
});
afterEach(() => {
  guard.takeAway();
  document.body.innerHTML = '';
  onClick.mockClear();
});

/** Clicks as a pointer does. @returns the elements that received it */
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

/** @returns whether browser and app receive it */
const press = (id: string, key: string, at: { ms: number; repeat?: boolean }): boolean => {
  const event = new KeyboardEvent('keydown', {
    bubbles: true,
    cancelable: true,
    key,
    repeat: at.repeat ?? false,
  });
  Object.defineProperty(event, 'timeStamp', { value: at.ms });
  const hear = vi.fn();
  window.addEventListener('keydown', hear, { once: true });
  document.getElementById(id)?.dispatchEvent(event);
  window.removeEventListener('keydown', hear);
  expect(event.defaultPrevented).toBe(hear.mock.calls.length === 0);
  return !event.defaultPrevented;
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

test('what acts is pressed once by a double click, even in the same moment, and again after half a second', () => {
  for (const [start, id, heard] of [
    [0, 'save', ['save']],
    [10_000, 'trash', ['trash', 'row']],
    [20_000, 'switch', ['switch', 'turn']],
  ] as const) {
    expect(click(id, { ms: start })).toEqual(heard);
    expect(click(id, { ms: start })).toEqual([]);
    expect(click(id, { ms: start + 499 })).toEqual([]);
    expect(click(id, { ms: start + 1_000 })).toEqual(heard);
  }
});

test('what only opens or selects hears of both clicks', () => {
  for (const id of ['unfold', 'tick', 'row']) {
    expect(click(id, { ms: 0 })).toContain(id);
    expect(click(id, { ms: 50 })).toContain(id);
    click('text', { ms: 60, y: 900 });
  }
});

test('two rows are ticked as fast as the hand is', () => {
  click('row', { ms: 0, y: 100 });
  expect(click('next-row', { ms: 90, y: 144 })).toEqual(['next-row']);
});

test('clicks made by a key or a script are left alone', () => {
  click('row', { ms: 0 });
  expect(click('trash', { ms: 20, detail: 0 })).toEqual(['trash', 'row']);
});

test('a key acts once where it is pressed twice or held down, also where the focus was led on', () => {
  for (const key of ['Enter', ' ']) {
    expect(press('save', key, { ms: 0 })).toBe(true);
    expect(press('save', key, { ms: 0 })).toBe(false);
    expect(press('save', key, { ms: 400 })).toBe(false);
    expect(press('save', key, { ms: 900 })).toBe(true);
    expect(press('save', key, { ms: 2_000, repeat: true })).toBe(false);
    expect(press('save', 'Tab', { ms: 2_010 })).toBe(true);
    expect(press('save', key, { ms: 2_020 })).toBe(true);
    // Another control; the user left this one.
    expect(press('trash', key, { ms: 2_030 })).toBe(true);
    press('save', 'Tab', { ms: 2_040 });
  }
  press('trash', 'Enter', { ms: 2_500 });
  document.getElementById('trash')?.remove();
  expect(press('save', 'Enter', { ms: 2_600 })).toBe(false);
  expect(press('save', 'Enter', { ms: 2_700 })).toBe(false);
  // It is typed, and scrolls.
  for (const id of ['field', 'text'])
    for (const ms of [3_000, 3_010]) expect(press(id, ' ', { ms, repeat: true })).toBe(true);
  expect(press('row', 'ArrowDown', { ms: 3_020, repeat: true })).toBe(true);
});

test.each<[what: string, happen: () => unknown]>([
  ['was typed', () => document.getElementById('field')?.dispatchEvent(new Event('input', { bubbles: true }))],
  ['was left by Back', () => window.dispatchEvent(new PopStateEvent('popstate'))],
  ['was left by a key', () => press('text', 'Escape', { ms: 50 })],
  ['has failed', () => guard.forget()],
])('what is pressed after something %s is meant', (_what, happen) => {
  click('save', { ms: 0 });
  happen();
  expect(click('save', { ms: 100 })).toEqual(['save']);
  // The same place, but another control: a double click.
  happen();
  expect(click('trash', { ms: 200 })).toEqual([]);
});

test('a key is meant once more after something was typed or has failed', () => {
  press('field', 'Enter', { ms: 0 });
  document.getElementById('field')?.dispatchEvent(new Event('input', { bubbles: true }));
  expect(press('field', 'Enter', { ms: 100 })).toBe(true);
  guard.forget();
  expect(press('field', 'Enter', { ms: 200 })).toBe(true);
  expect(press('field', 'Enter', { ms: 300 })).toBe(false);
});

test('a label and what it names are one control, which the browser clicks once more', () => {
  for (const [label, control] of [
    ['label', 'tick'],
    ['turn', 'switch'],
  ] as const) {
    expect(click(label, { ms: 0, y: 500 })).toContain(control);
    click('text', { ms: 0, y: 900 });
  }
  expect(click('turn', { ms: 1_000 })).toContain('switch');
  expect(click('turn', { ms: 1_100 })).toEqual([]);
});

test('a link is not followed by a second click that was not meant for it', () => {
  document.body.innerHTML = '<p id="text">Words</p><a id="link" href="#elsewhere">Elsewhere</a>';
  click('text', { ms: 0 });
  click('link', { ms: 100 });
  expect(window.location.hash).not.toBe('#elsewhere');
});
