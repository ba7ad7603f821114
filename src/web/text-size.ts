const TEXT_SIZES = ["normal", "large", "larger"] as const;

/** How large all that is read is, in one browser: a phone's reader may want another than at their desk. */
export type TextSize = (typeof TEXT_SIZES)[number];

/** What was asked for, if it is one of ours. */
export const textSizeIn = (given: unknown): TextSize | undefined => TEXT_SIZES.find((size) => size === given);
