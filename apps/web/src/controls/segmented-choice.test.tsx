import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { SegmentedChoice } from './segmented-choice.tsx';

describe('a choice side by side', () => {
  it('is one group of radio buttons that the mouse and the arrow keys choose from', async () => {
    render(<Grouping />);
    const user = userEvent.setup();
    expect(chosen()).toBe('By sender');
    await user.click(screen.getByText('By reason'));
    expect(chosen()).toBe('By reason');
    await user.keyboard('{ArrowLeft}');
    expect(chosen()).toBe('By sender');
    expect(screen.getByRole('radiogroup', { name: 'Group by' })).toBeTruthy();
  });
});

const chosen = () => screen.getByRole('radio', { checked: true }).closest('label')?.textContent;

const Grouping = () => {
  const [by, setBy] = useState<'sender' | 'reason'>('sender');
  return (
    <SegmentedChoice
      name="Group by"
      value={by}
      onChange={setBy}
      choices={[
        { label: 'By sender', value: 'sender' },
        { label: 'By reason', value: 'reason' },
      ]}
    />
  );
};
