import fc from "fast-check";
import { requestedCases } from "../fuzz-cases.ts";

// Normal runs try the same cases each time, so a failure is caused by the change under test. `npm run fuzz`
// tries new cases.
fc.configureGlobal(requestedCases > 0 ? { numRuns: requestedCases } : { seed: 20_261_127 });
