import { t } from '@lingui/core/macro';
import type { Sender as ListedSender } from '@mailsweep/contracts';
import { createContext, type ReactNode, useContext } from 'react';
import classes from './sender-button.module.css';

/** The sender to show: by id, or the sender of an email. */
export type SheetSender = Pick<ListedSender, 'from' | 'group'> & ({ senderId: string } | { emailId: string });

export const SenderSheetContext = createContext<(sender: SheetSender) => void>(() => undefined);

/** Names a sender and opens their sheet. */
export const SenderButton = (props: { sender: SheetSender; name: string; children: ReactNode }) => {
  const open = useContext(SenderSheetContext);
  const name = props.name;
  return (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="dialog"
      title={t`What to do with email from ${name}`}
      onClick={() => open(props.sender)}
    >
      {props.children}
    </button>
  );
};
