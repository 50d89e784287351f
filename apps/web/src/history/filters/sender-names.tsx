import { t } from '@lingui/core/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { Fragment } from 'react';
import { parseSender } from '../../email/sender/sender.ts';

/** A space that keeps the line; a usual one would have no height. */
const NO_NAMES_YET = '\u00a0';

/** `Garden & Home, Pixel Deals and others`: each name in its own direction. */
export const SenderNames = ({ batch: { senders } }: { batch: ActionBatch }) => {
  const names = [...new Set(senders.top.map(({ from }) => parseSender(from).name))].filter(Boolean);
  if (names.length === 0) return NO_NAMES_YET;
  return (
    <>
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {senders.count > senders.top.length && ` ${t`and others`}`}
    </>
  );
};
