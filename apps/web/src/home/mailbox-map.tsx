import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Sender } from '@mailsweep/contracts';
import { useElementSize } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useContext } from 'react';
import { useApi } from '../api/api-context.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderSheetContext } from '../email/sender/sender-button.tsx';
import { useScan } from '../scan/use-scan.ts';
import shapes from '../shapes.module.css';
import { largestSendersQuery, mailboxQuery } from './home-queries.ts';
import classes from './mailbox-map.module.css';

/** Poll interval while a scan finds senders. Unit: milliseconds. */
const GROWING_MS = 4_000;
/** A tile of average size can be touched, and read. Unit: pixels squared. */
const TILE_AREA = 10_000;
const MOST_TILES = 20;
/** Smaller tiles have no room for words. Unit: pixels. */
const READABLE = { width: 68, height: 54 };

interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

const sum = (weights: readonly number[]) => weights.reduce((all, weight) => all + weight, 0);

/** Shares an area by weights: cuts its longer side so that both parts weigh about the same, and then each part again. */
const shareArea = (weights: readonly number[], area: Rectangle): Rectangle[] => {
  if (weights.length < 2) return weights.map(() => area);
  const half = sum(weights) / 2;
  let first = 1;
  while (first < weights.length - 1 && sum(weights.slice(0, first)) + (weights[first] ?? 0) / 2 < half)
    first += 1;
  const share = sum(weights.slice(0, first)) / sum(weights);
  const { left, top, width, height } = area;
  const [one, other] =
    width >= height
      ? [
          { ...area, width: width * share },
          { ...area, left: left + width * share, width: width * (1 - share) },
        ]
      : [
          { ...area, height: height * share },
          { ...area, top: top + height * share, height: height * (1 - share) },
        ];
  return [...shareArea(weights.slice(0, first), one), ...shareArea(weights.slice(first), other)];
};

const Tile = (props: { sender: Sender; area: Rectangle }) => {
  const openSheet = useContext(SenderSheetContext);
  const { id, from, inInbox, suggested } = props.sender;
  const { width, height } = props.area;
  const name = parseSender(from).name || t`Unknown sender`;
  const suggestions = Math.min(suggested, inInbox);
  const words = `${countEmails(inInbox)}${suggestions > 0 ? `, ${plural(suggestions, { other: '# with suggestions' })}` : ''}`;
  const isReadable = width >= READABLE.width && height >= READABLE.height;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={`${name}: ${words}`}
      className={classes.tile}
      style={{ '--suggested': `${(100 * suggestions) / inInbox}%` } as CSSProperties}
      onClick={() => openSheet({ senderId: id, from })}
    >
      <bdi className={isReadable ? `${shapes.oneLine} ${classes.name}` : 'sr-only'}>{name}</bdi>{' '}
      {isReadable && (
        <span className={classes.count} aria-hidden="true">
          {formatCount(inInbox)}
        </span>
      )}
      <span className="sr-only">{words}</span>
    </button>
  );
};

/**
 * The inbox as one picture: a tile for each of the largest senders, as large as what it has there, the greener the more of it
 * has suggestions. Each opens the sheet of the sender; to a screen reader it is a list.
 */
export const MailboxMap = () => {
  const { isInProgress: isScanning } = useScan();
  const { client } = useApi();
  const { ref, width, height } = useElementSize();
  const mailbox = useQuery(mailboxQuery(client));
  const inbox = mailbox.data?.inbox.total ?? 0;
  const { data, isPending } = useQuery({
    // With a key of its own: a scan invalidates what is known of senders each second, and would begin this costly query again
    // each time. The inbox is counted after each change, and the picture is drawn again.
    ...largestSendersQuery(client, ['senders-of-map', inbox]),
    enabled: !mailbox.isPending,
    placeholderData: keepPreviousData,
    refetchInterval: isScanning ? GROWING_MS : false,
  });
  const senders = data?.senders ?? [];
  // Its place is kept while senders may still come: what follows must not move.
  if (!isScanning && !isPending && senders.length < 2) return null;
  const shown = senders.slice(0, Math.min(MOST_TILES, Math.floor((width * height) / TILE_AREA)));
  const rest = data?.isWhole ? Math.max(0, inbox - sum(shown.map(({ inInbox }) => inInbox))) : 0;
  const areas = shareArea(
    shown.map(({ inInbox }) => inInbox),
    { left: 0, top: 0, width, height },
  );
  return (
    <section className={`${shapes.card} ${classes.map}`} aria-labelledby="map-title">
      <h2 id="map-title" className={classes.title}>
        {data && !data.isWhole ? t`Who sent what was read so far` : t`Who fills your inbox`}
      </h2>
      <p className={classes.note}>
        <Trans>The greener, the more of it has suggestions.</Trans>{' '}
        {shown.length > 0 && rest > 0 && <Link to="/senders">{t`All others: ${countEmails(rest)}`}</Link>}
      </p>
      <ul ref={ref} className={`${shapes.plainList} ${classes.tiles}`} aria-labelledby="map-title">
        {shown.map((sender, index) => {
          const area = areas[index] as Rectangle;
          const { left: insetInlineStart, ...place } = area;
          return (
            <li key={sender.id} className={classes.place} style={{ ...place, insetInlineStart }}>
              <Tile sender={sender} area={area} />
            </li>
          );
        })}
      </ul>
    </section>
  );
};
