import { Trans } from '@lingui/react/macro';
import type { Unsubscribe } from '@mailsweep/contracts';
import { IconExternalLink, IconMail } from '@tabler/icons-react';
import shapes from '../shapes.module.css';
import classes from './unsubscribe.module.css';
import { toEmailLink, toPageLink } from './unsubscribe-words.ts';

/** Links by which the user unsubscribes manually, each with its target. Nothing is loaded before a click. */
export const UnsubscribeLinks = ({ unsubscribe }: { unsubscribe: Unsubscribe }) => {
  const page = toPageLink(unsubscribe);
  const emailLink = toEmailLink(unsubscribe);
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
      {emailLink && (
        <li>
          <a href={emailLink.href} rel="noopener noreferrer">
            <IconMail size={15} aria-hidden="true" />
            <span>
              <Trans>
                Write to <bdi>{emailLink.target}</bdi>
              </Trans>
            </span>
          </a>
        </li>
      )}
    </ul>
  );
};
