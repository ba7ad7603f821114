/** The path of an app's directory or file in a URL; empty for the root. */
export const inAddress = (path: readonly string[]): string => (path.length > 0 ? `/${path.join("/")}` : "");
