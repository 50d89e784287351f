import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import { parseSender } from './sender.ts';
import { SenderAvatar } from './sender-avatar.tsx';
import classes from './sender-pane.module.css';

/** A pane beside a list, headed by a sender; the list stays usable. */
export const SenderPane = (props: {
  /** What the pane is, to a screen reader. */
  label: string;
  from: string;
  /** Whether the sender is what the pane is about, so that the name is its heading. */
  isAboutSender: boolean;
  closeLabel: string;
  onClose: () => void;
  className: string | undefined;
  children: ReactNode;
}) => {
  const { name, address } = parseSender(props.from);
  const Name = props.isAboutSender ? 'h2' : 'p';
  return (
    <aside className={`${classes.pane} ${props.className}`} aria-label={props.label}>
      <div className={classes.head}>
        <SenderAvatar from={props.from} size="lg" />
        <div className={classes.sender}>
          <Name className={`${shapes.oneLine} ${classes.name}`}>
            <bdi>{name}</bdi>
          </Name>
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
