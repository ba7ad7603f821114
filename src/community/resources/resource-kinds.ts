import type { ResourceKind } from "#community/rules";

/** Hosts whose pages are videos. Their subdomains are included. */
const VIDEO_HOSTS = [
  "youtube.com",
  "youtu.be",
  "youtube-nocookie.com",
  "vimeo.com",
  "dailymotion.com",
  "media.ccc.de",
  "framatube.org",
];
const VIDEO_FILE = /\.(mp4|m4v|webm|mov|ogv)$/i;
/** Matches the path of a PeerTube video, on any host. */
const PEERTUBE = /^\/(w|videos\/watch)\/[\w-]{10,}/;

/** Kind of a link by its address, which `NewLink` has validated. */
export function kindFromAddress(url: string): ResourceKind {
  const { hostname, pathname } = new URL(url);
  const isVideoHost = VIDEO_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return (isVideoHost && pathname.length > 1) || VIDEO_FILE.test(pathname) || PEERTUBE.test(pathname)
    ? "video"
    : "link";
}

export const kindFromMime = (mime: string): ResourceKind => (mime.startsWith("image/") ? "image" : "file");

/** Host of an address, as shown to people. */
export const siteName = (url: string): string => new URL(url).hostname.replace(/^www\./, "").slice(0, 200);
