export { serveBuilt } from "./built.ts";
export { serveFiles } from "./files.ts";
export { serveIncomingFiles } from "./incoming-files.ts";
export { serveManifest } from "./manifest.ts";
export { serveUploads } from "./uploads.ts";
export { serveWeb } from "./serve-web.ts";
export { GuestPages } from "./guest-pages.ts";
export { keptFirst } from "./kept.ts";
export type { House } from "../house.ts";
