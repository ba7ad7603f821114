import { expect } from "vitest";
import { createKeySteps, type StoreKind, hiveStore } from "./hive-key-steps.ts";
import { type StepContext, createStep, type ContractSteps, untyped } from "./contract-run.ts";

/** Creates a step for a call on one store under the key `a`: method, arguments and expected request. */
const stepsFor =
  (kind: StoreKind, path: string) =>
  (
    method: string,
    given: unknown[],
    sent: [string, string, unknown?],
    answer: unknown,
  ): [string, ContractSteps[string]] => [
    `${path}: ${method}${JSON.stringify(given)}`,
    createStep(
      (at) => hiveStore(at, kind)[method]!(...given),
      [sent[0], `/hive/garden/${path}${sent[1]}`, ...sent.slice(2)] as never,
      answer,
    ),
  ];
/** Creates a step for a call on all stores of a kind. */
const combineStepsFor =
  (kind: StoreKind, path: string) =>
  (action: string, answer: unknown): [string, ContractSteps[string]] => [
    `${path}: ${action}`,
    createStep(
      ({ app }) =>
        untyped((app.Hive("garden") as unknown as Record<StoreKind, unknown>)[kind])[action]!(["a", "b"]),
      ["POST", `/hive/garden/${path}/action/${action}`, ["a", "b"]],
      answer,
    ),
  ];
const hive = ({ app }: StepContext, name: string) => untyped(app.Hive(name));
const inAnyOrder = (...values: unknown[]) => expect.arrayContaining(values) as unknown;

const keyValueStep = stepsFor("KeyValueStore", "key-value");
const listStep = stepsFor("ListStore", "list");
const mapStep = stepsFor("MapStore", "map");
const setStep = stepsFor("SetStore", "set");
const combineSetsStep = combineStepsFor("SetStore", "set");

/** Hives and their stores (section 11), ordered so that each call finds the data it needs. */
export const HIVE_STEPS: ContractSteps = {
  "hives: create": createStep((at) => hive(at, "shed")["create"]!(), ["POST", "/hive/shed"], ""),
  "hives: rename": createStep(
    (at) => hive(at, "shed")["rename"]!("garden"),
    ["PUT", "/hive/shed?newName=garden"],
    "",
  ),
  "hives: getNames": createStep(({ app }) => app.Hive.getNames(), ["GET", "/hive"], ["garden"]),
  "key-value: set of several": createStep(
    ({ app }) => app.Hive("garden").KeyValueStore.set({ a: 1, b: "two" }),
    ["PUT", "/hive/garden/key-value", { a: 1, b: "two" }],
    "",
  ),
  "key-value: get of several": createStep(
    ({ app }) => app.Hive("garden").KeyValueStore.get(["a", "b", "none"]),
    ["POST", "/hive/garden/key-value", ["a", "b", "none"]],
    { a: 1, b: "two" },
  ),
  ...Object.fromEntries([
    keyValueStep("set", [5, { ttl: 60 }], ["PUT", "/a", { value: 5, ttl: 60 }], true),
    keyValueStep("get", [], ["GET", "/a"], 5),
    keyValueStep("increment", [2], ["PUT", "/a/increment?value=2"], 7),
    keyValueStep("decrement", [3], ["PUT", "/a/decrement?value=3"], 4),
  ]),
  ...createKeySteps("KeyValueStore", "key-value"),
  ...Object.fromEntries([
    listStep("addFirstValues", [["b", "c"]], ["PUT", "/a/add-first", ["b", "c"]], 2),
    listStep("addLastValues", [["e", "e"]], ["PUT", "/a/add-last", ["e", "e"]], 4),
    listStep(
      "insertBefore",
      ["a", "b"],
      ["PUT", "/a/insert-before", { valueToInsert: "a", anchorValue: "b" }],
      5,
    ),
    listStep(
      "insertAfter",
      ["d", "c"],
      ["PUT", "/a/insert-after", { valueToInsert: "d", anchorValue: "c" }],
      6,
    ),
    listStep("deleteValue", ["e", 1], ["PUT", "/a/delete-value", { value: "e", count: 1 }], 1),
    listStep("get", [], ["GET", "/a"], ["a", "b", "c", "d", "e"]),
    listStep("get", [1, 2], ["GET", "/a?from=1&to=2"], ["b", "c"]),
    listStep("get", [-1], ["GET", "/a/-1"], "e"),
    listStep("deleteFirst", [2], ["PUT", "/a/get-first-and-delete?count=2"], ["a", "b"]),
    listStep("deleteLast", [1], ["PUT", "/a/get-last-and-delete?count=1"], ["e"]),
    listStep("length", [], ["GET", "/a/length"], 2),
  ]),
  ...createKeySteps("ListStore", "list"),
  ...Object.fromEntries([
    mapStep("set", [{ x: 1, y: 2 }], ["PUT", "/a", { x: 1, y: 2 }], 2),
    mapStep("set", ["z", 3], ["PUT", "/a/set/z", { value: 3 }], true),
    mapStep(
      "setWithOverwrite",
      ["z", 4, false],
      ["PUT", "/a/set-with-overwrite/z", { value: 4, overwrite: false }],
      false,
    ),
    mapStep("increment", ["x", 5], ["PUT", "/a/increment/x?count=5"], 6),
    mapStep("decrement", ["y", 1], ["PUT", "/a/decrement/y?count=1"], 1),
    mapStep("get", [["x", "y"]], ["POST", "/a", ["x", "y"]], { x: 6, y: 1 }),
    mapStep("getValue", ["z"], ["GET", "/a/get/z"], 3),
    mapStep("keyExists", ["none"], ["GET", "/a/exists/none"], false),
    mapStep("keys", [], ["GET", "/a/keys"], ["x", "y", "z"]),
    mapStep("values", [], ["GET", "/a/values"], [6, 1, 3]),
    mapStep("deleteKeys", [["z", "none"]], ["DELETE", "/a/by-obj-keys", ["z", "none"]], 1),
    mapStep("length", [], ["GET", "/a/length"], 2),
  ]),
  ...createKeySteps("MapStore", "map"),
  ...Object.fromEntries([
    setStep("addValues", [["x", "y", "z"]], ["PUT", "/a/add", ["x", "y", "z"]], 3),
    setStep("get", [], ["GET", "/a"], inAnyOrder("x", "y", "z")),
    combineSetsStep("difference", inAnyOrder("x", "y", "z")),
    combineSetsStep("intersection", []),
    combineSetsStep("union", inAnyOrder("x", "y", "z")),
    setStep("isValuesMembers", [["x", "none"]], ["POST", "/a/contains", ["x", "none"]], [true, false]),
    setStep("deleteValues", [["y", "z"]], ["DELETE", "/a/values", ["y", "z"]], 2),
    setStep("getRandom", [1], ["GET", "/a/random?count=1"], ["x"]),
    setStep("addValue", ["w"], ["PUT", "/a/add", ["w"]], 1),
    setStep("getRandomAndDelete", [1], ["PUT", "/a/random?count=1"], [expect.stringMatching(/^[wx]$/)]),
    setStep("length", [], ["GET", "/a/length"], 1),
  ]),
  ...createKeySteps("SetStore", "set"),
};

const sortedSetStep = stepsFor("SortedSetStore", "sorted-set");
const combineSortedSetsStep = combineStepsFor("SortedSetStore", "sorted-set");
const items = [
  [1, "one"],
  [2, "two"],
  [3, "three"],
  [4, "four"],
  [5, "five"],
];

/** Sorted sets, and the deletion of the hive. */
export const SORTED_SET_STEPS: ContractSteps = {
  ...Object.fromEntries([
    sortedSetStep(
      "add",
      [items, { resultType: "NewAdded" }],
      ["PUT", "/a/add", { items, resultType: "NewAdded" }],
      5,
    ),
    sortedSetStep(
      "incrementScore",
      ["one", 10],
      ["PUT", "/a/increment", { scoreValue: 10, value: "one" }],
      11,
    ),
    sortedSetStep(
      "decrementScore",
      ["one", 10.5],
      ["PUT", "/a/decrement", { scoreValue: 10.5, value: "one" }],
      0.5,
    ),
    sortedSetStep("getScore", ["two"], ["POST", "/a/get-score", { value: "two" }], 2),
    sortedSetStep("getRank", ["two", true], ["POST", "/a/get-rank", { value: "two", reverse: true }], 3),
    sortedSetStep(
      "getRangeByRank",
      [0, 1, { withScores: true }],
      ["GET", "/a/get-range-by-rank?startRank=0&stopRank=1&withScores=true"],
      [
        [0.5, "one"],
        [2, "two"],
      ],
    ),
    sortedSetStep(
      "getRangeByScore",
      [{ minScore: 3, maxScore: 4 }],
      ["GET", "/a/get-range-by-score?minScore=3&maxScore=4"],
      ["three", "four"],
    ),
    sortedSetStep(
      "countBetweenScores",
      [{ minScore: 3, minBound: "Exclude" }],
      ["GET", "/a/count?minScore=3&minBound=Exclude"],
      2,
    ),
    combineSortedSetsStep("difference", inAnyOrder("one", "five")),
    combineSortedSetsStep("intersection", []),
    combineSortedSetsStep("union", inAnyOrder("one", "five")),
    sortedSetStep(
      "getAndDeleteMaxScore",
      [1],
      ["PUT", "/a/get-with-max-score-and-delete?count=1"],
      [[5, "five"]],
    ),
    sortedSetStep(
      "getAndDeleteMinScore",
      [1],
      ["PUT", "/a/get-with-min-score-and-delete?count=1"],
      [[0.5, "one"]],
    ),
    sortedSetStep("deleteValuesByRank", [0, 0], ["DELETE", "/a/delete-by-rank?startRank=0&stopRank=0"], 1),
    sortedSetStep("deleteValuesByScore", [{ minScore: 4 }], ["DELETE", "/a/delete-by-score?minScore=4"], 1),
    sortedSetStep(
      "getRandom",
      [{ count: 1, withScores: true }],
      ["GET", "/a/get-random?count=1&withScores=true"],
      [[3, "three"]],
    ),
    sortedSetStep("length", [], ["GET", "/a/length"], 1),
    sortedSetStep("deleteValues", [["none"]], ["DELETE", "/a/values", ["none"]], 0),
  ]),
  ...createKeySteps("SortedSetStore", "sorted-set"),
  "hives: delete": createStep((at) => hive(at, "garden")["delete"]!(), ["DELETE", "/hive/garden"], ""),
};
