import { Trans } from '@lingui/react/macro';
import { Button, Switch } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { describeError } from '../../api/errors.ts';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import { Select } from '../../controls/select.tsx';
import shapes from '../../shapes.module.css';
import classes from './settings-section.module.css';

interface Loading {
  data: unknown;
  error: unknown;
  refetch: () => Promise<unknown>;
}

export const hasFailed = ({ data, error }: Loading): boolean => Boolean(error) && data === undefined;

/** Why settings could not be loaded, if so. */
export const LoadFailure = ({ query }: { query: Loading }) => {
  if (!hasFailed(query)) return null;
  const { title, advice } = describeError(query.error);
  return (
    <div role="alert">
      <SettingsRow name={title} note={advice}>
        <Button variant="default" onClick={() => void query.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </SettingsRow>
    </div>
  );
};

/** A subject of the settings: a title, and a card of rows or an error. */
export const SettingsSection = (props: { title: string; query?: Loading; children: ReactNode }) => (
  <section>
    <h2 className={classes.title}>{props.title}</h2>
    <div className={`${shapes.card} ${classes.card}`}>
      {props.query && hasFailed(props.query) ? <LoadFailure query={props.query} /> : props.children}
    </div>
  </section>
);

export const SettingsRow = (props: { name: ReactNode; note?: ReactNode; children?: ReactNode }) => (
  <div className={classes.row}>
    <div className={classes.words}>
      <div className={classes.name}>{props.name}</div>
      {props.note && <div className={classes.note}>{props.note}</div>}
    </div>
    {props.children}
  </div>
);

export const SwitchRow = (props: {
  name: string;
  note: ReactNode;
  isOn: boolean;
  isLoading?: boolean;
  onChange: (isOn: boolean) => void;
}) => (
  <SettingsRow name={props.name} note={props.note}>
    <Switch
      size="md"
      checked={props.isOn}
      disabled={props.isLoading === true}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
      aria-label={props.name}
    />
  </SettingsRow>
);

export const ChoiceRow = <T extends string>({
  note,
  ...choice
}: ComponentProps<typeof SegmentedChoice<T>> & { note: ReactNode }) => (
  <SettingsRow name={choice.name} note={note}>
    <SegmentedChoice {...choice} />
  </SettingsRow>
);

export const SelectRow = <T extends string | number>({
  name,
  note,
  ...select
}: ComponentProps<typeof Select<T>> & { name: string; note: ReactNode }) => (
  <SettingsRow name={name} note={note}>
    <Select aria-label={name} {...select} />
  </SettingsRow>
);
