/** Formats the path of an app's file or directory for a URL; empty for the root. */
export const formatFilePath = (path: readonly string[]): string =>
  path.length > 0 ? `/${path.join("/")}` : "";
