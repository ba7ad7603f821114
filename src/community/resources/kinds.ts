import type { ResourceKind } from "#community/rules";

/** Houses whose pages are a video each, with those below them. */
const VIDEO_HOUSES = ["youtube.com", "youtu.be", "youtube-nocookie.com", "vimeo.com", "dailymotion.com", "media.ccc.de", "framatube.org"];
const VIDEO_FILE = /\.(mp4|m4v|webm|mov|ogv)$/i;
/** Pages on PeerTube, wherever it is at home. */
const PEERTUBE = /^\/(w|videos\/watch)\/[\w-]{10,}/;

/** What a link leads to, as far as its address says. The address is one: `NewLink` has seen to that. */
export function kindOfAddress(url: string): ResourceKind {
  const { hostname, pathname } = new URL(url);
  const housed = VIDEO_HOUSES.some((house) => hostname === house || hostname.endsWith(`.${house}`));
  return (housed && pathname.length > 1) || VIDEO_FILE.test(pathname) || PEERTUBE.test(pathname) ? "video" : "link";
}

export const kindOfFile = (mime: string): ResourceKind => (mime.startsWith("image/") ? "image" : "file");

/** The house that an address belongs to, as people say it. */
export const siteOf = (url: string): string => new URL(url).hostname.replace(/^www\./, "").slice(0, 200);
