import { t } from '@lingui/core/macro';
import { createContext, type ReactNode, useContext } from 'react';
import classes from './sender-button.module.css';

/** Whose sheet is opened: the sender with an id, or that of an email. */
export type SheetSender = { from: string } & ({ senderId: string } | { emailId: string });

/** Opens the sheet of a sender. */
export const SenderSheetContext = createContext<(sender: SheetSender) => void>(() => undefined);

/** What names a sender, and opens the sheet with all that can be done about it. */
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
