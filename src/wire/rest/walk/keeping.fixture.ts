import { type At, line, type Lines, loosely, NOW } from "./walk.fixture.ts";

const visits = ({ app }: At) => loosely(app.Counters.of("visits"));
const cache = ({ app }: At) => loosely(app.Cache);
const LATER = NOW.getTime() + 3_600_000;

/** Counters: section 10. */
export const COUNTERS: Lines = {
  "counters: incrementAndGet": line((at) => visits(at)["incrementAndGet"]!(), ["PUT", "/counters/visits/increment/get"], 1),
  "counters: getAndIncrement": line((at) => visits(at)["getAndIncrement"]!(), ["PUT", "/counters/visits/get/increment"], 1),
  "counters: addAndGet": line((at) => visits(at)["addAndGet"]!(10), ["PUT", "/counters/visits/incrementby/get?value=10"], 12),
  "counters: getAndAdd": line((at) => visits(at)["getAndAdd"]!(-2), ["PUT", "/counters/visits/get/incrementby?value=-2"], 12),
  "counters: decrementAndGet": line((at) => visits(at)["decrementAndGet"]!(), ["PUT", "/counters/visits/decrement/get"], 9),
  "counters: getAndDecrement": line((at) => visits(at)["getAndDecrement"]!(), ["PUT", "/counters/visits/get/decrement"], 9),
  "counters: compareAndSet": line(
    (at) => visits(at)["compareAndSet"]!(8, 100),
    ["PUT", "/counters/visits/get/compareandset?expected=8&updatedvalue=100"],
    true,
  ),
  "counters: get": line((at) => visits(at)["get"]!(), ["GET", "/counters/visits"], 100),
  "counters: list": line(({ app }) => loosely(app.Counters)["list"]!("vis*"), ["GET", "/counters/vis*/list"], ["visits"]),
  "counters: reset": line((at) => visits(at)["reset"]!(), ["PUT", "/counters/visits/reset"], ""),
};

/** Cached values: section 10. */
export const CACHE: Lines = {
  "cache: put": line((at) => cache(at)["put"]!("sky", { clouds: 3 }, 60), ["PUT", "/cache/sky?timeout=60", { clouds: 3 }], ""),
  "cache: get": line((at) => cache(at)["get"]!("sky"), ["GET", "/cache/sky"], { clouds: 3 }),
  "cache: contains": line((at) => cache(at)["contains"]!("sky"), ["GET", "/cache/sky/check"], true),
  "cache: expireIn": line((at) => cache(at)["expireIn"]!("sky", 600), ["PUT", "/cache/sky/expireIn?timeout=600"], ""),
  "cache: expireAt": line((at) => cache(at)["expireAt"]!("sky", LATER), ["PUT", `/cache/sky/expireAt?timestamp=${LATER}`], ""),
  "cache: remove": line((at) => cache(at)["remove"]!("sky"), ["DELETE", "/cache/sky"], ""),
};
