/** The files of words for browsers, by locale and part of the site; made by `catalogue-plugin.ts`. Empty while pages are being written. */
declare module "virtual:word-files" {
  const files: Record<string, Record<string, string> | undefined>;
  export default files;
}
