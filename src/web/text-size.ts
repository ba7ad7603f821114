const TEXT_SIZES = ["normal", "large", "larger"] as const;

/** Text size. It is stored per browser, since readers may want another size on a phone than at a desk. */
export type TextSize = (typeof TEXT_SIZES)[number];

export const parseTextSize = (value: unknown): TextSize | undefined =>
  TEXT_SIZES.find((size) => size === value);
