import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import { parseSender } from './sender.ts';
import { SenderAvatar } from './sender-avatar.tsx';
import { SenderButton } from './sender-button.tsx';
import classes from './sender-pane.module.css';

/** A pane over the end of a list, headed by a sender; the list stays usable. */
export const SenderPane = (props: {
  /** What the pane is, to a screen reader. */
  label: string;
  from: string;
  /** Opens the sheet of its sender by the name. */
  emailId: string;
  closeLabel: string;
  onClose: () => void;
  className: string | undefined;
  children: ReactNode;
}) => {
  const { name, address } = parseSender(props.from);
  return (
    <aside className={`${classes.pane} ${props.className}`} aria-label={props.label}>
      <div className={classes.head}>
        <SenderAvatar from={props.from} size="lg" />
        <div className={classes.sender}>
          <p className={`${shapes.oneLine} ${classes.name}`}>
            <SenderButton sender={{ from: props.from, emailId: props.emailId }} name={name}>
              <bdi>{name}</bdi>
            </SenderButton>
          </p>
          {address !== name && <bdi className={`${shapes.oneLine} ${classes.address}`}>{address}</bdi>}
        </div>
        <button
          type="button"
          className={`${shapes.iconButton} ${classes.close}`}
          onClick={props.onClose}
          aria-label={props.closeLabel}
        >
          <IconX size={18} aria-hidden="true" />
        </button>
      </div>
      {props.children}
    </aside>
  );
};
