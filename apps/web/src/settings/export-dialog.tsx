import { Button, Group } from '@mantine/core';
import { Dialog } from '../controls/dialog.tsx';
import classes from './recent-sign-in-dialog.module.css';

/** Offers the download after the new sign-in that it needed. */
export const ExportDialog = (props: {
  isOpen: boolean;
  isDownloading: boolean;
  onDownload: () => void;
  onClose: () => void;
}) => (
  <Dialog opened={props.isOpen} onClose={props.onClose} title="Download your data" closeLabel="Cancel">
    <p className={classes.what}>You have signed in again. Your data can be downloaded now.</p>
    <Group justify="flex-end">
      <Button variant="default" onClick={props.onClose}>
        Cancel
      </Button>
      <Button loading={props.isDownloading} onClick={props.onDownload} data-autofocus>
        Download now
      </Button>
    </Group>
  </Dialog>
);
