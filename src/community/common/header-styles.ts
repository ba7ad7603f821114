/** Backgrounds for people and groups without a picture: names of gradients in the stylesheet. */
export const HEADER_STYLES = ["meadow", "dusk", "clay", "river", "plum", "straw", "moss", "slate"] as const;
