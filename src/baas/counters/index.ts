export {
  type Counters,
  openCounters,
  addToCounter,
  compareAndSet,
  clearCounters,
  listCounters,
  readCounter,
  resetCounter,
} from "./counters.ts";
