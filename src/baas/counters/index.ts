export {
  type Counters,
  createCounterStore,
  addToCounter,
  compareAndSet,
  clearCounters,
  listCounters,
  readCounter,
  resetCounter,
} from "./counters.ts";
