import {
  closeToNumber,
  type StepContext,
  createBareStep,
  createStep,
  type ContractSteps,
  untyped,
  NOW,
} from "./contract-run.ts";

export type StoreKind = "KeyValueStore" | "ListStore" | "MapStore" | "SetStore" | "SortedSetStore";
type Stores = Record<StoreKind, (key: string) => unknown>;
const hive = ({ app }: StepContext) => app.Hive("garden") as unknown as Stores;
/** Opens a store in the hive that all steps share. */
export const hiveStore = (at: StepContext, kind: StoreKind, key = "a") => untyped(hive(at)[kind](key));

const HOUR = 3_600;
const SECONDS = Math.ceil(NOW.getTime() / 1_000) + HOUR;

/** Creates the steps for the keys of a store; the key `a` must exist and is deleted at the end. */
export function createKeySteps(kind: StoreKind, path: string): ContractSteps {
  const all = `/hive/garden/${path}`;
  const keys = (at: StepContext) => untyped(hive(at)[kind]);
  return {
    [`${path}: keys`]: createStep(
      (at) => keys(at)["keys"]!({ filterPattern: "a*", pageSize: 5 }),
      ["GET", `${all}/keys?filterPattern=a*&pageSize=5`],
      {
        keys: ["a"],
        cursorId: "0",
      },
    ),
    [`${path}: exist`]: createStep(
      (at) => keys(at)["exist"]!(["a", "none"]),
      ["POST", `${all}/action/exist`, ["a", "none"]],
      1,
    ),
    [`${path}: exist, as older SDKs ask`]: createBareStep("POST", `${all}/action/exists`, ["a", "none"], 1),
    [`${path}: delete of one key`]: createBareStep("DELETE", `${all}/none`, undefined, 0),
    [`${path}: touch`]: createStep(
      (at) => keys(at)["touch"]!(["a"]),
      ["PUT", `${all}/action/touch`, ["a"]],
      1,
    ),
    [`${path}: secondsSinceLastOperation`]: createStep(
      (at) => hiveStore(at, kind)["secondsSinceLastOperation"]!(),
      ["GET", `${all}/a/seconds-since-last-operation`],
      closeToNumber(0),
    ),
    [`${path}: expireAfter`]: createStep(
      (at) => hiveStore(at, kind)["expireAfter"]!(60),
      ["PUT", `${all}/a/expire?ttl=60`],
      "",
    ),
    [`${path}: expireAt`]: createStep(
      (at) => hiveStore(at, kind)["expireAt"]!(SECONDS),
      ["PUT", `${all}/a/expire-at?unixTime=${SECONDS}`],
      "",
    ),
    [`${path}: getExpiration`]: createStep(
      (at) => hiveStore(at, kind)["getExpiration"]!(),
      ["GET", `${all}/a/get-expiration-ttl`],
      closeToNumber(HOUR),
    ),
    [`${path}: clearExpiration`]: createStep(
      (at) => hiveStore(at, kind)["clearExpiration"]!(),
      ["PUT", `${all}/a/clear-expiration`],
      "",
    ),
    [`${path}: rename`]: createStep(
      (at) => hiveStore(at, kind)["rename"]!("b", true),
      ["PUT", `${all}/a/rename?newKey=b&overwrite=true`],
      true,
    ),
    [`${path}: delete`]: createStep(
      (at) => keys(at)["delete"]!(["b", "none"]),
      ["DELETE", all, ["b", "none"]],
      1,
    ),
  };
}
