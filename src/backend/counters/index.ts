export { type Counters, openCounters, addTo, compareAndSet, emptyCounters, listCounters, readCounter, resetCounter } from "./counters.ts";
