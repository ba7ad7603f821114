export { createHive, deleteHive, emptyHives, hiveNames, type Hives, openHives, renameHive } from "./hives.ts";
export { purgeHives } from "./in-postgres/keys.ts";
export { atUnix, countKeys, deleteKeys, endKey, getKey, inSeconds, listKeys, renameKey, touchKeys } from "./keys.ts";
export { addToValue, readValue, readValues, writeValue, writeValues } from "./key-values.ts";
export { addFirst, addLast, insertBeside, listLength, readItem, readList, removeFromList, takeFirst, takeLast } from "./lists.ts";
export { addToField, addToMap, mapLength, readMap, removeFromMap, writeMap } from "./maps.ts";
export { addToSet, areInSet, combineSets, randomOfSet, readSet, removeFromSet, setLength, takeRandomOfSet } from "./sets.ts";
export {
  addScored,
  addToScore,
  countByScore,
  randomScored,
  rangeByRank,
  rangeByScore,
  rankOf,
  removeByRank,
  removeByScore,
  removeScored,
  scoreOf,
  sortedSetLength,
  takeScored,
} from "./sorted-sets.ts";
export type { Bounds, Kind, Place, Scored } from "./store.ts";
