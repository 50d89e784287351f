import { InvalidArgumentError } from 'commander';

/** For an option that may be given several times. */
export const collect = (value: string, others: string[] = []): string[] => [...others, value];

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`);
    return value;
  };

export const uuid = (text: string): string => {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text))
    throw new InvalidArgumentError('It has to be an id, as lists show it.');
  return text;
};

export const probability = (text: string): number => {
  const value = Number(text);
  if (!/^[\d.]+$/.test(text) || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('It has to be a number from 0 to 1.');
  return value;
};
