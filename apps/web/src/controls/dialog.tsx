import { Modal, type ModalProps } from '@mantine/core';
import { useRef } from 'react';
import { useBackCloses } from './back-closes.ts';
import { useReturnedFocus } from './use-returned-focus.ts';

/** A question or some text over the screen; closing it gives the focus back, and Back closes it. */
export const Dialog = (props: ModalProps & { closeLabel: string }) => {
  const { closeLabel, ...rest } = props;
  useBackCloses(rest.opened, rest.onClose);
  useReturnedFocus(rest.opened);
  // Remounted each time it opens: with Preact, one that stays mounted may open without its accessible name.
  const { current: openings } = useRef({ count: 0, isOpen: false });
  if (rest.opened && !openings.isOpen) openings.count += 1;
  openings.isOpen = rest.opened;
  return (
    <Modal
      key={openings.count}
      centered
      {...rest}
      // Not the library's, which misses the first opening of a dialog that is loaded when it is needed.
      returnFocus={false}
      // One dialog may lie over another, and a page has one banner.
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': closeLabel }}
    />
  );
};
