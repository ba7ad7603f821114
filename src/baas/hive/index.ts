export {
  createHive,
  deleteHive,
  clearHives,
  listHiveNames,
  type Hives,
  createHiveStore,
  renameHive,
} from "./hives.ts";
export { purgeHives } from "./postgres/postgres-keys.ts";
export {
  expiryAtUnixTime,
  countKeys,
  deleteKeys,
  expireKey,
  getKey,
  expiryAfterSeconds,
  listKeys,
  renameKey,
  touchKeys,
} from "./hive-keys.ts";
export { addToValue, readValue, readValues, writeValue, writeValues } from "./key-values.ts";
export {
  prependItems,
  appendItems,
  insertBeside,
  getListLength,
  readItem,
  readList,
  removeFromList,
  takeFirstItems,
  takeLastItems,
} from "./lists.ts";
export { addToMapField, addToMap, getMapLength, readMap, removeFromMap, writeMap } from "./maps.ts";
export {
  addToSet,
  checkInSet,
  combineSets,
  getRandomFromSet,
  readSet,
  removeFromSet,
  getSetLength,
  takeRandomFromSet,
} from "./sets.ts";
export {
  addScored,
  addToScore,
  countByScore,
  getRandomScored,
  listByRank,
  listByScore,
  getRank,
  removeByRank,
  removeByScore,
  removeScored,
  getScore,
  getSortedSetLength,
  takeByScore,
} from "./sorted-sets.ts";
export type { ScoreRange, StoreKind, StoreKey, ScoredValue } from "./hive-store.ts";
