import { expect } from "vitest";
import { keyLines, type Store, store } from "./hive-keys.fixture.ts";
import { type At, line, type Lines, loosely } from "./walk.fixture.ts";

/** Step for a call on one store under the key `a`: method, arguments and expected request. */
const of =
  (kind: Store, path: string) =>
  (method: string, given: unknown[], sent: [string, string, unknown?], answer: unknown): [string, Lines[string]] => [
    `${path}: ${method}${JSON.stringify(given)}`,
    line((at) => store(at, kind)[method]!(...given), [sent[0], `/hive/garden/${path}${sent[1]}`, ...sent.slice(2)] as never, answer),
  ];
/** Step for a call on all stores of a kind. */
const ofAll =
  (kind: Store, path: string) =>
  (action: string, answer: unknown): [string, Lines[string]] => [
    `${path}: ${action}`,
    line(
      ({ app }) => loosely((app.Hive("garden") as unknown as Record<Store, unknown>)[kind])[action]!(["a", "b"]),
      ["POST", `/hive/garden/${path}/action/${action}`, ["a", "b"]],
      answer,
    ),
  ];
const hive = ({ app }: At, name: string) => loosely(app.Hive(name));
const inAnyOrder = (...values: unknown[]) => expect.arrayContaining(values) as unknown;

const value = of("KeyValueStore", "key-value");
const list = of("ListStore", "list");
const map = of("MapStore", "map");
const set = of("SetStore", "set");
const sets = ofAll("SetStore", "set");

/** Hives and their stores, in an order in which each call finds what it needs: section 11. */
export const HIVES: Lines = {
  "hives: create": line((at) => hive(at, "shed")["create"]!(), ["POST", "/hive/shed"], ""),
  "hives: rename": line((at) => hive(at, "shed")["rename"]!("garden"), ["PUT", "/hive/shed?newName=garden"], ""),
  "hives: getNames": line(({ app }) => app.Hive.getNames(), ["GET", "/hive"], ["garden"]),
  "key-value: set of several": line(
    ({ app }) => app.Hive("garden").KeyValueStore.set({ a: 1, b: "two" }),
    ["PUT", "/hive/garden/key-value", { a: 1, b: "two" }],
    "",
  ),
  "key-value: get of several": line(
    ({ app }) => app.Hive("garden").KeyValueStore.get(["a", "b", "none"]),
    ["POST", "/hive/garden/key-value", ["a", "b", "none"]],
    { a: 1, b: "two" },
  ),
  ...Object.fromEntries([
    value("set", [5, { ttl: 60 }], ["PUT", "/a", { value: 5, ttl: 60 }], true),
    value("get", [], ["GET", "/a"], 5),
    value("increment", [2], ["PUT", "/a/increment?value=2"], 7),
    value("decrement", [3], ["PUT", "/a/decrement?value=3"], 4),
  ]),
  ...keyLines("KeyValueStore", "key-value"),
  ...Object.fromEntries([
    list("addFirstValues", [["b", "c"]], ["PUT", "/a/add-first", ["b", "c"]], 2),
    list("addLastValues", [["e", "e"]], ["PUT", "/a/add-last", ["e", "e"]], 4),
    list("insertBefore", ["a", "b"], ["PUT", "/a/insert-before", { valueToInsert: "a", anchorValue: "b" }], 5),
    list("insertAfter", ["d", "c"], ["PUT", "/a/insert-after", { valueToInsert: "d", anchorValue: "c" }], 6),
    list("deleteValue", ["e", 1], ["PUT", "/a/delete-value", { value: "e", count: 1 }], 1),
    list("get", [], ["GET", "/a"], ["a", "b", "c", "d", "e"]),
    list("get", [1, 2], ["GET", "/a?from=1&to=2"], ["b", "c"]),
    list("get", [-1], ["GET", "/a/-1"], "e"),
    list("deleteFirst", [2], ["PUT", "/a/get-first-and-delete?count=2"], ["a", "b"]),
    list("deleteLast", [1], ["PUT", "/a/get-last-and-delete?count=1"], ["e"]),
    list("length", [], ["GET", "/a/length"], 2),
  ]),
  ...keyLines("ListStore", "list"),
  ...Object.fromEntries([
    map("set", [{ x: 1, y: 2 }], ["PUT", "/a", { x: 1, y: 2 }], 2),
    map("set", ["z", 3], ["PUT", "/a/set/z", { value: 3 }], true),
    map("setWithOverwrite", ["z", 4, false], ["PUT", "/a/set-with-overwrite/z", { value: 4, overwrite: false }], false),
    map("increment", ["x", 5], ["PUT", "/a/increment/x?count=5"], 6),
    map("decrement", ["y", 1], ["PUT", "/a/decrement/y?count=1"], 1),
    map("get", [["x", "y"]], ["POST", "/a", ["x", "y"]], { x: 6, y: 1 }),
    map("getValue", ["z"], ["GET", "/a/get/z"], 3),
    map("keyExists", ["none"], ["GET", "/a/exists/none"], false),
    map("keys", [], ["GET", "/a/keys"], ["x", "y", "z"]),
    map("values", [], ["GET", "/a/values"], [6, 1, 3]),
    map("deleteKeys", [["z", "none"]], ["DELETE", "/a/by-obj-keys", ["z", "none"]], 1),
    map("length", [], ["GET", "/a/length"], 2),
  ]),
  ...keyLines("MapStore", "map"),
  ...Object.fromEntries([
    set("addValues", [["x", "y", "z"]], ["PUT", "/a/add", ["x", "y", "z"]], 3),
    set("get", [], ["GET", "/a"], inAnyOrder("x", "y", "z")),
    sets("difference", inAnyOrder("x", "y", "z")),
    sets("intersection", []),
    sets("union", inAnyOrder("x", "y", "z")),
    set("isValuesMembers", [["x", "none"]], ["POST", "/a/contains", ["x", "none"]], [true, false]),
    set("deleteValues", [["y", "z"]], ["DELETE", "/a/values", ["y", "z"]], 2),
    set("getRandom", [1], ["GET", "/a/random?count=1"], ["x"]),
    set("addValue", ["w"], ["PUT", "/a/add", ["w"]], 1),
    set("getRandomAndDelete", [1], ["PUT", "/a/random?count=1"], [expect.stringMatching(/^[wx]$/)]),
    set("length", [], ["GET", "/a/length"], 1),
  ]),
  ...keyLines("SetStore", "set"),
};

const sorted = of("SortedSetStore", "sorted-set");
const allSorted = ofAll("SortedSetStore", "sorted-set");
const items = [
  [1, "one"],
  [2, "two"],
  [3, "three"],
  [4, "four"],
  [5, "five"],
];

/** Sorted sets; and the end of the hive. */
export const SORTED: Lines = {
  ...Object.fromEntries([
    sorted("add", [items, { resultType: "NewAdded" }], ["PUT", "/a/add", { items, resultType: "NewAdded" }], 5),
    sorted("incrementScore", ["one", 10], ["PUT", "/a/increment", { scoreValue: 10, value: "one" }], 11),
    sorted("decrementScore", ["one", 10.5], ["PUT", "/a/decrement", { scoreValue: 10.5, value: "one" }], 0.5),
    sorted("getScore", ["two"], ["POST", "/a/get-score", { value: "two" }], 2),
    sorted("getRank", ["two", true], ["POST", "/a/get-rank", { value: "two", reverse: true }], 3),
    sorted(
      "getRangeByRank",
      [0, 1, { withScores: true }],
      ["GET", "/a/get-range-by-rank?startRank=0&stopRank=1&withScores=true"],
      [
        [0.5, "one"],
        [2, "two"],
      ],
    ),
    sorted("getRangeByScore", [{ minScore: 3, maxScore: 4 }], ["GET", "/a/get-range-by-score?minScore=3&maxScore=4"], ["three", "four"]),
    sorted("countBetweenScores", [{ minScore: 3, minBound: "Exclude" }], ["GET", "/a/count?minScore=3&minBound=Exclude"], 2),
    allSorted("difference", inAnyOrder("one", "five")),
    allSorted("intersection", []),
    allSorted("union", inAnyOrder("one", "five")),
    sorted("getAndDeleteMaxScore", [1], ["PUT", "/a/get-with-max-score-and-delete?count=1"], [[5, "five"]]),
    sorted("getAndDeleteMinScore", [1], ["PUT", "/a/get-with-min-score-and-delete?count=1"], [[0.5, "one"]]),
    sorted("deleteValuesByRank", [0, 0], ["DELETE", "/a/delete-by-rank?startRank=0&stopRank=0"], 1),
    sorted("deleteValuesByScore", [{ minScore: 4 }], ["DELETE", "/a/delete-by-score?minScore=4"], 1),
    sorted("getRandom", [{ count: 1, withScores: true }], ["GET", "/a/get-random?count=1&withScores=true"], [[3, "three"]]),
    sorted("length", [], ["GET", "/a/length"], 1),
    sorted("deleteValues", [["none"]], ["DELETE", "/a/values", ["none"]], 0),
  ]),
  ...keyLines("SortedSetStore", "sorted-set"),
  "hives: delete": line((at) => hive(at, "garden")["delete"]!(), ["DELETE", "/hive/garden"], ""),
};
