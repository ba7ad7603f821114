export { openHttp, bareHtml, jsonFault } from "./http.ts";
export type { HttpOptions, Shortcut } from "./http.ts";
export { isOurs } from "./origin.ts";
