/** Backgrounds for those who have no picture: names of gradients that the pages know. */
export const HEADER_STYLES = ["meadow", "dusk", "clay", "river", "plum", "straw", "moss", "slate"] as const;
