import { Trans } from '@lingui/react/macro';
import type { Unsubscribe } from '@mailsweep/contracts';
import { IconExternalLink, IconMail } from '@tabler/icons-react';
import shapes from '../shapes.module.css';
import classes from './unsubscribe.module.css';
import { toLetter, toPage } from './unsubscribe-words.ts';

/** The ways in which the user unsubscribes by hand, each with where it leads. Nothing of them is loaded before a click. */
export const WaysOut = ({ unsubscribe }: { unsubscribe: Unsubscribe }) => {
  const page = toPage(unsubscribe);
  const letter = toLetter(unsubscribe);
  return (
    <ul className={`${shapes.plainList} ${classes.ways}`}>
      {page && (
        <li>
          <a href={page.href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
            <IconExternalLink size={15} aria-hidden="true" />
            <span>
              <Trans>
                Open <bdi>{page.target}</bdi>
              </Trans>
            </span>
          </a>
        </li>
      )}
      {letter && (
        <li>
          <a href={letter.href} rel="noopener noreferrer">
            <IconMail size={15} aria-hidden="true" />
            <span>
              <Trans>
                Write to <bdi>{letter.target}</bdi>
              </Trans>
            </span>
          </a>
        </li>
      )}
    </ul>
  );
};
