export { openHttp, bareHtml, beginFault, jsonFault } from "./http.ts";
export type { HttpOptions, Shortcut } from "./http.ts";
export { isDeeperThan } from "./json-depth.ts";
export { isOurs } from "./origin.ts";
export { dispositionOf, HARMLESS, isKnown, rangeOf, typeOf } from "./file-headers.ts";
export { takesItsTime, readOn } from "./patience.ts";
