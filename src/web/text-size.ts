const TEXT_SIZES = ["normal", "large", "larger"] as const;

/** Text size, per browser: a phone's reader may want another one than at their desk. */
export type TextSize = (typeof TEXT_SIZES)[number];

export const parseTextSize = (given: unknown): TextSize | undefined =>
  TEXT_SIZES.find((size) => size === given);
