import { expect } from "vitest";
import { createBareStep, type ContractStep, type ContractSteps, refusalWithCode } from "./contract-run.ts";

const LEE = { ___class: "Person", objectId: "p3", name: "Lee" };
const userStep: ContractStep = {
  call: ({ ask, ana }) => ask("GET", `/users/${ana}?props=name`),
  sends: ({ ana }) => ["GET", `/users/${ana}?props=name`],
  gives: () => ({ ___class: "Users", name: "Anna" }),
};

/** Calls as documented for plain HTTP; the client uses other calls for the same purpose. */
export const PLAIN_STEPS: ContractSteps = {
  "plain: create": createBareStep("POST", "/data/Person", { objectId: "p3", name: "Lee" }, LEE),
  "plain: change": createBareStep("PUT", "/data/Person/p3", { age: 50 }, { ...LEE, age: 50 }),
  "plain: find": createBareStep("GET", "/data/Person?where=age%3D50&props=name", undefined, [
    { ___class: "Person", name: "Lee" },
  ]),
  "plain: find the first": createBareStep("GET", "/data/Person/first", undefined, { ___class: "Person" }),
  "plain: find the last": createBareStep("GET", "/data/Person/last?where=age%3D50", undefined, LEE),
  "plain: count": createBareStep("GET", "/data/Person/count?where=age%3D50", undefined, 1),
  "plain: load a relation": createBareStep("POST", "/data/Person/p3/orders/load", { pageSize: 5 }, []),
  "plain: grant several": createBareStep(
    "PUT",
    "/data/Person/permissions/GRANT/p3/bulk",
    [{ permission: "FIND", role: "*" }],
    "",
  ),
  "plain: deny several": createBareStep(
    "PUT",
    "/data/Person/permissions/DENY/p3/bulk",
    [{ permission: "UPDATE", user: "*" }],
    "",
  ),
  "plain: remove by a condition": createBareStep("DELETE", "/data/bulk/Person?where=age%3D50", undefined, 1),
  "plain: a user": userStep,
  "plain: where the sockets are": createBareStep(
    "GET",
    "/rt/lookup",
    undefined,
    expect.stringMatching(/^http/),
  ),
  "plain: types of entities": createBareStep(
    "GET",
    "/types.ts",
    undefined,
    expect.stringContaining("export interface Discussions {"),
  ),
  "plain: all push templates": createBareStep("GET", "/messaging/pushtemplates", undefined, {
    frost: { name: "frost" },
  }),
  ...Object.fromEntries(
    ["GET", "PUT", "DELETE", "POST"].flatMap((method) =>
      ["/services/Greetings/echo", "/services/Greetings/1.0.0/echo"].map((path) => {
        const [address, body] =
          method === "GET" ? [`${path}?words=Peas`, undefined] : [path, { words: "Peas" }];
        return [`plain: ${method} ${path}`, createBareStep(method, address, body, { words: "Peas" })];
      }),
    ),
  ),
  "plain: a receipt of Apple": createBareStep(
    "POST",
    "/commerce/apple/verifyReceipt",
    { "receipt-data": "bm9uZQ==" },
    refusalWithCode(404),
  ),
  "plain: the binary protocol": createBareStep("POST", "/binary", undefined, refusalWithCode(415)),
};
