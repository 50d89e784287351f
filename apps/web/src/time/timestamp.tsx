import { formatAgo, formatClock, formatExact, formatShortDate } from './format-time.ts';

const FORMATS = { short: formatShortDate, ago: formatAgo, clock: (date: Date) => formatClock(date) };

/** A moment, relative or short, with the exact time on hover. */
export const Timestamp = ({
  value,
  style,
  className,
}: {
  value: string;
  style: keyof typeof FORMATS;
  className?: string;
}) => {
  const date = new Date(value);
  return (
    <time dateTime={value} title={formatExact(date)} className={className}>
      {FORMATS[style](date, new Date())}
    </time>
  );
};
