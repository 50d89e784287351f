/** The wanted fields by name; null stands for everything below. */
type Mask = Map<string, Mask | null>;

/**
 * Cuts a value down to a partial-response mask (Google APIs, "Partial response"): `a,b(c,d),e/f`, with `*` for all.
 * A mask that can't be read leaves the value as it is.
 */
export const applyFieldMask = (value: unknown, fields: string): unknown => {
  const mask = parseMask(fields);
  return mask === undefined ? value : pick(value, mask);
};

const pick = (value: unknown, mask: Mask | null): unknown => {
  if (mask === null || mask.has('*')) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const innerMask = mask.get(name);
      return innerMask === undefined ? [] : [[name, pick(inner, innerMask)]];
    }),
  );
};

const parseMask = (fields: string): Mask | undefined => {
  const tokens = fields.match(/[(),/]|[^(),/\s]+/g) ?? [];
  let position = 0;

  const parseField = (mask: Mask): boolean => {
    const name = tokens[position];
    if (name === undefined || /^[(),/]$/.test(name)) return false;
    position += 1;
    if (tokens[position] === '/') {
      position += 1;
      const inner: Mask = new Map();
      mask.set(name, inner);
      return parseField(inner);
    }
    if (tokens[position] !== '(') {
      mask.set(name, null);
      return true;
    }
    position += 1;
    const inner = parseList();
    mask.set(name, inner ?? null);
    position += 1;
    return inner !== undefined && tokens[position - 1] === ')';
  };

  const parseList = (): Mask | undefined => {
    const mask: Mask = new Map();
    for (;;) {
      if (!parseField(mask)) return undefined;
      if (tokens[position] !== ',') return mask;
      position += 1;
    }
  };

  const mask = parseList();
  return position === tokens.length ? mask : undefined;
};
