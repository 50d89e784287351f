import { Modal, type ModalProps } from '@mantine/core';
import { useOpenOnceMounted } from './use-open-once-mounted.ts';

/** A question or some text over the screen; closing it gives the focus back. */
export const Dialog = (props: ModalProps & { closeLabel: string }) => {
  const { opened, closeLabel, ...rest } = props;
  return (
    <Modal
      centered
      {...rest}
      opened={useOpenOnceMounted(opened)}
      closeButtonProps={{ 'aria-label': closeLabel }}
    />
  );
};
