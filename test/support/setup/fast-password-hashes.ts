import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Tests hash a thousand passwords, each of which would take 30 ms at the real cost. The files of a worker
// share this module of Node, so only the first one replaces the function.
const HAS_LOW_COST = Symbol.for("kith.low-cost-hashes");
const { argon2 } = crypto;

if (!(HAS_LOW_COST in argon2)) {
  const hashCheaply: typeof argon2 = (algorithm, parameters, done) =>
    argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, done);
  crypto.argon2 = Object.assign(hashCheaply, { [HAS_LOW_COST]: true });
  syncBuiltinESMExports();
}
