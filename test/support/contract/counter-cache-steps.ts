import { type StepContext, createStep, type ContractSteps, untyped, NOW } from "./contract-run.ts";

const visits = ({ app }: StepContext) => untyped(app.Counters.of("visits"));
const cache = ({ app }: StepContext) => untyped(app.Cache);
const LATER = NOW.getTime() + 3_600_000;

/** Counters: section 10. */
export const COUNTER_STEPS: ContractSteps = {
  "counters: incrementAndGet": createStep(
    (at) => visits(at)["incrementAndGet"]!(),
    ["PUT", "/counters/visits/increment/get"],
    1,
  ),
  "counters: getAndIncrement": createStep(
    (at) => visits(at)["getAndIncrement"]!(),
    ["PUT", "/counters/visits/get/increment"],
    1,
  ),
  "counters: addAndGet": createStep(
    (at) => visits(at)["addAndGet"]!(10),
    ["PUT", "/counters/visits/incrementby/get?value=10"],
    12,
  ),
  "counters: getAndAdd": createStep(
    (at) => visits(at)["getAndAdd"]!(-2),
    ["PUT", "/counters/visits/get/incrementby?value=-2"],
    12,
  ),
  "counters: decrementAndGet": createStep(
    (at) => visits(at)["decrementAndGet"]!(),
    ["PUT", "/counters/visits/decrement/get"],
    9,
  ),
  "counters: getAndDecrement": createStep(
    (at) => visits(at)["getAndDecrement"]!(),
    ["PUT", "/counters/visits/get/decrement"],
    9,
  ),
  "counters: compareAndSet": createStep(
    (at) => visits(at)["compareAndSet"]!(8, 100),
    ["PUT", "/counters/visits/get/compareandset?expected=8&updatedvalue=100"],
    true,
  ),
  "counters: get": createStep((at) => visits(at)["get"]!(), ["GET", "/counters/visits"], 100),
  "counters: list": createStep(
    ({ app }) => untyped(app.Counters)["list"]!("vis*"),
    ["GET", "/counters/vis*/list"],
    ["visits"],
  ),
  "counters: reset": createStep((at) => visits(at)["reset"]!(), ["PUT", "/counters/visits/reset"], ""),
};

/** Cached values: section 10. */
export const CACHE_STEPS: ContractSteps = {
  "cache: put": createStep(
    (at) => cache(at)["put"]!("sky", { clouds: 3 }, 60),
    ["PUT", "/cache/sky?timeout=60", { clouds: 3 }],
    "",
  ),
  "cache: get": createStep((at) => cache(at)["get"]!("sky"), ["GET", "/cache/sky"], { clouds: 3 }),
  "cache: contains": createStep((at) => cache(at)["contains"]!("sky"), ["GET", "/cache/sky/check"], true),
  "cache: expireIn": createStep(
    (at) => cache(at)["expireIn"]!("sky", 600),
    ["PUT", "/cache/sky/expireIn?timeout=600"],
    "",
  ),
  "cache: expireAt": createStep(
    (at) => cache(at)["expireAt"]!("sky", LATER),
    ["PUT", `/cache/sky/expireAt?timestamp=${LATER}`],
    "",
  ),
  "cache: remove": createStep((at) => cache(at)["remove"]!("sky"), ["DELETE", "/cache/sky"], ""),
};
