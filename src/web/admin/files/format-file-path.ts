/** The path of an app's directory or file in a URL; empty for the root. */
export const formatFilePath = (path: readonly string[]): string =>
  path.length > 0 ? `/${path.join("/")}` : "";
