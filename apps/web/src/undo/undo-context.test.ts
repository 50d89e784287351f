import { describe, expect, it } from 'vitest';
import { createUndoStack } from './undo-context.tsx';

const action = (label: string) => ({ label, undo: async () => ({ undone: 1, failures: '' }) });

describe('what can be undone', () => {
  it('is taken newest first, each action once', () => {
    const stack = createUndoStack();
    stack.push(action('first'));
    stack.push(action('second'));
    expect([stack.takeLast()?.label, stack.takeLast()?.label, stack.takeLast()]).toEqual([
      'second',
      'first',
      undefined,
    ]);
  });

  it('is not offered by key any more once it was undone from its toast', () => {
    const stack = createUndoStack();
    const [first, second] = [action('first'), action('second')];
    stack.push(first);
    stack.push(second);
    expect(stack.remove(second)).toBe(true);
    expect(stack.remove(second)).toBe(false);
    expect(stack.takeLast()).toBe(first);
  });

  it('ends at fifty actions; the history has the older ones', () => {
    const stack = createUndoStack();
    for (let number = 1; number <= 51; number += 1) stack.push(action(String(number)));
    const labels = Array.from({ length: 51 }, () => stack.takeLast()?.label);
    expect(labels.slice(-2)).toEqual(['2', undefined]);
  });
});
