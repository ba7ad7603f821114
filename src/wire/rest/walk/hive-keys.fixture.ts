import { about, type At, bare, line, type Lines, loosely, NOW } from "./walk.fixture.ts";

export type Store = "KeyValueStore" | "ListStore" | "MapStore" | "SetStore" | "SortedSetStore";
type Stores = Record<Store, (key: string) => unknown>;
const hive = ({ app }: At) => app.Hive("garden") as unknown as Stores;
/** A store of the walk's shared hive. */
export const store = (at: At, kind: Store, key = "a") => loosely(hive(at)[kind](key));

const HOUR = 3_600;
const SECONDS = Math.ceil(NOW.getTime() / 1_000) + HOUR;

/** Steps for the keys of a store; the key `a` must exist and is deleted at the end. */
export function keyLines(kind: Store, path: string): Lines {
  const all = `/hive/garden/${path}`;
  const keys = (at: At) => loosely(hive(at)[kind]);
  return {
    [`${path}: keys`]: line(
      (at) => keys(at)["keys"]!({ filterPattern: "a*", pageSize: 5 }),
      ["GET", `${all}/keys?filterPattern=a*&pageSize=5`],
      {
        keys: ["a"],
        cursorId: "0",
      },
    ),
    [`${path}: exist`]: line((at) => keys(at)["exist"]!(["a", "none"]), ["POST", `${all}/action/exist`, ["a", "none"]], 1),
    [`${path}: exist, as older SDKs ask`]: bare("POST", `${all}/action/exists`, ["a", "none"], 1),
    [`${path}: delete of one key`]: bare("DELETE", `${all}/none`, undefined, 0),
    [`${path}: touch`]: line((at) => keys(at)["touch"]!(["a"]), ["PUT", `${all}/action/touch`, ["a"]], 1),
    [`${path}: secondsSinceLastOperation`]: line(
      (at) => store(at, kind)["secondsSinceLastOperation"]!(),
      ["GET", `${all}/a/seconds-since-last-operation`],
      about(0),
    ),
    [`${path}: expireAfter`]: line((at) => store(at, kind)["expireAfter"]!(60), ["PUT", `${all}/a/expire?ttl=60`], ""),
    [`${path}: expireAt`]: line((at) => store(at, kind)["expireAt"]!(SECONDS), ["PUT", `${all}/a/expire-at?unixTime=${SECONDS}`], ""),
    [`${path}: getExpiration`]: line((at) => store(at, kind)["getExpiration"]!(), ["GET", `${all}/a/get-expiration-ttl`], about(HOUR)),
    [`${path}: clearExpiration`]: line((at) => store(at, kind)["clearExpiration"]!(), ["PUT", `${all}/a/clear-expiration`], ""),
    [`${path}: rename`]: line((at) => store(at, kind)["rename"]!("b", true), ["PUT", `${all}/a/rename?newKey=b&overwrite=true`], true),
    [`${path}: delete`]: line((at) => keys(at)["delete"]!(["b", "none"]), ["DELETE", all, ["b", "none"]], 1),
  };
}
