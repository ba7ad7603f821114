import { expect } from "vitest";
import { bare, type Line, type Lines, refusal } from "./walk.fixture.ts";

const LEE = { ___class: "Person", objectId: "p3", name: "Lee" };
const user: Line = {
  call: ({ ask, ana }) => ask("GET", `/users/${ana}?props=name`),
  sends: ({ ana }) => ["GET", `/users/${ana}?props=name`],
  gives: () => ({ ___class: "Users", name: "Anna" }),
};

/** Calls as documented for plain HTTP; the client uses others for the same. */
export const PLAIN: Lines = {
  "plain: create": bare("POST", "/data/Person", { objectId: "p3", name: "Lee" }, LEE),
  "plain: change": bare("PUT", "/data/Person/p3", { age: 50 }, { ...LEE, age: 50 }),
  "plain: find": bare("GET", "/data/Person?where=age%3D50&props=name", undefined, [{ ___class: "Person", name: "Lee" }]),
  "plain: find the first": bare("GET", "/data/Person/first", undefined, { ___class: "Person" }),
  "plain: find the last": bare("GET", "/data/Person/last?where=age%3D50", undefined, LEE),
  "plain: count": bare("GET", "/data/Person/count?where=age%3D50", undefined, 1),
  "plain: load a relation": bare("POST", "/data/Person/p3/orders/load", { pageSize: 5 }, []),
  "plain: grant several": bare("PUT", "/data/Person/permissions/GRANT/p3/bulk", [{ permission: "FIND", role: "*" }], ""),
  "plain: deny several": bare("PUT", "/data/Person/permissions/DENY/p3/bulk", [{ permission: "UPDATE", user: "*" }], ""),
  "plain: remove by a condition": bare("DELETE", "/data/bulk/Person?where=age%3D50", undefined, 1),
  "plain: a user": user,
  "plain: where the sockets are": bare("GET", "/rt/lookup", undefined, expect.stringMatching(/^http/)),
  "plain: all push templates": bare("GET", "/messaging/pushtemplates", undefined, { frost: { name: "frost" } }),
  ...Object.fromEntries(
    ["GET", "PUT", "DELETE", "POST"].flatMap((method) =>
      ["/services/Greetings/echo", "/services/Greetings/1.0.0/echo"].map((path) => {
        const [address, body] = method === "GET" ? [`${path}?words=Peas`, undefined] : [path, { words: "Peas" }];
        return [`plain: ${method} ${path}`, bare(method, address, body, { words: "Peas" })];
      }),
    ),
  ),
  "plain: a receipt of Apple": bare("POST", "/commerce/apple/verifyReceipt", { "receipt-data": "bm9uZQ==" }, refusal(404)),
  "plain: the binary protocol": bare("POST", "/binary", undefined, refusal(415)),
};
