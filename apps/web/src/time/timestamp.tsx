import { formatAgo, formatClock, formatExact, formatShortDate } from './format-time.ts';

const FORMATS = { short: formatShortDate, ago: formatAgo, clock: (date: Date) => formatClock(date) };

/** A moment, relative or short, with the exact time on hover. */
export const Timestamp = (props: { value: string; style: keyof typeof FORMATS; className?: string }) => {
  const { value, style, className } = props;
  const date = new Date(value);
  return (
    <time dateTime={value} title={formatExact(date)} className={className}>
      {FORMATS[style](date, new Date())}
    </time>
  );
};
