import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { Dialog } from '../../controls/dialog.tsx';
import classes from './recent-sign-in-dialog.module.css';

/** Offers the download after the new sign-in that it needed. */
export const ExportDialog = (props: {
  isOpen: boolean;
  isDownloading: boolean;
  onDownload: () => void;
  onClose: () => void;
}) => (
  <Dialog opened={props.isOpen} onClose={props.onClose} title={t`Download your data`} closeLabel={t`Cancel`}>
    <p className={classes.what}>
      <Trans>You have signed in again. Your data can be downloaded now.</Trans>
    </p>
    <Group justify="flex-end">
      <Button variant="default" onClick={props.onClose}>
        <Trans>Cancel</Trans>
      </Button>
      <Button loading={props.isDownloading} onClick={props.onDownload} data-autofocus>
        <Trans>Download now</Trans>
      </Button>
    </Group>
  </Dialog>
);
