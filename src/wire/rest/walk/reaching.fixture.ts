import { expect } from "vitest";
import { changeFlow, makeFlow, triggersOf } from "#backend/flows";
import { putTemplate } from "#backend/devices";
import { addTemplate } from "#backend/mails";
import { one, sql } from "#platform/database";
import type { RestHouse } from "../index.ts";
import { aKindOf, type At, line, type Line, type Lines, loosely } from "./walk.fixture.ts";

const FROST = {
  name: "frost",
  os: "ALL",
  channel: null,
  title: "",
  subtitle: "",
  body: "Frost, {name}",
  sound: "",
  badge: null,
  headers: {},
};
const FLOW = {
  triggers: [
    { kind: "call", name: "call" },
    { kind: "call", name: "paid", starts: false },
  ],
  steps: [{ kind: "wait", for: "paid", seconds: 3_600 }],
};
/** Ids of an automation and its trigger, created before. */
const made = { flow: "", trigger: "" };

/** Creates the push and email templates and the automation for the steps below. */
export async function furnishReaching({ database, mails, flows }: RestHouse): Promise<{ flow: string; trigger: string }> {
  await database.inTransaction((tx) => putTemplate(tx, { ...FROST, os: "ALL" }));
  await addTemplate(mails, { name: "Welcome", subject: "Welcome, {name}", text: "Hello {name}.", html: "" });
  made.flow = await makeFlow(flows, { name: "Payment", definition: FLOW });
  await changeFlow(flows, made.flow, { enabled: true });
  flows.watched.forget();
  made.trigger = (await triggersOf(flows, made.flow)).find(({ name }) => name === "call")!.id;
  return made;
}

const sent: Line["gives"] = () => ({ messageId: aKindOf(String), status: aKindOf(String), errorMessage: null });
const messaging = ({ app }: At) => loosely(app.Messaging);
const DEVICE = { uuid: "phone", platform: "ios", version: "17.4" };
const to = ["ines@example.org"];

/** Devices, push and email: section 9. */
export const REACHING: Lines = {
  "messaging: registerDevice": {
    call: ({ app }) => {
      (app as unknown as { setupDevice: (device: object) => void }).setupDevice(DEVICE);
      return app.Messaging.registerDevice("token", ["garden"]);
    },
    sends: () => ["POST", "/messaging/registrations", { deviceToken: "token", deviceId: "phone", os: "IOS", channels: ["garden"] }],
    gives: () => ({ registrationId: aKindOf(String) }),
  },
  "messaging: getRegistrations": line(
    (at) => messaging(at)["getRegistrations"]!(),
    ["GET", "/messaging/registrations/phone"],
    [{ deviceToken: "token", os: "IOS", channels: ["garden"], expiration: null }],
  ),
  "messaging: getPushTemplates": line((at) => messaging(at)["getPushTemplates"]!("IOS"), ["GET", "/messaging/pushtemplates/IOS"], {
    frost: { name: "frost" },
  }),
  "messaging: pushWithTemplate": {
    call: ({ server }) => loosely(server.Messaging)["pushWithTemplate"]!("frost", { name: "Mira" }),
    sends: () => ["POST", "/messaging/push/frost", { templateValues: { name: "Mira" } }],
    gives: sent,
  },
  "messaging: unregisterDevice": line((at) => messaging(at)["unregisterDevice"]!(), ["DELETE", "/messaging/registrations/phone"], {
    result: true,
  }),
  "messaging: sendEmail": {
    call: ({ server }) => loosely(server.Messaging)["sendEmail"]!("Frost", { textmessage: "Close the windows." }, to),
    sends: () => ["POST", "/messaging/email", { subject: "Frost", bodyparts: { textmessage: "Close the windows." }, to }],
    gives: sent,
  },
  "messaging: sendEmailFromTemplate": {
    call: ({ server }) => {
      const envelopes = (server.Messaging as unknown as { EmailEnvelope: { create: (given: object) => unknown } }).EmailEnvelope;
      return loosely(server.Messaging)["sendEmailFromTemplate"]!("Welcome", envelopes.create({ addresses: to }), { name: "Ines" });
    },
    sends: () => ["POST", "/emailtemplate/send", { "template-name": "Welcome", "template-values": { name: "Ines" }, addresses: to }],
    gives: sent,
  },
};

const automations = ({ server }: At) => loosely((server as unknown as Record<string, unknown>)["Automations"]);
const stateOf = async ({ database }: At, id: string) =>
  (await one(database.db, sql<{ state: string }>`select state from flow_runs where id = ${id}`)).state;
const started: Line["gives"] = () => ({ executionId: aKindOf(String) });

/** Automations: section 14. */
export const AUTOMATIONS: Lines = {
  "automations: activateFlow": {
    call: (at) => automations(at)["activateFlow"]!("Payment", { name: "Ines" }),
    sends: () => ["POST", "/automation/flow/activate-by-name", { name: "Payment", initialData: { name: "Ines" } }],
    gives: started,
  },
  "automations: loadFlowExecutionContext": {
    async call(at) {
      const id = at.last("executionId");
      if (at.doesSteps) await expect.poll(() => stateOf(at, id), { timeout: 30_000 }).toBe("waiting");
      return automations(at)["loadFlowExecutionContext"]!(id);
    },
    sends: ({ last }) => ["GET", `/automation/flow/execution-context/${last("executionId")}`],
    gives: ({ doesSteps }) => ({
      flowName: "Payment",
      status: doesSteps ? "waiting" : "running",
      waitingFor: doesSteps ? "paid" : null,
      context: { trigger: { data: { name: "Ines" } } },
    }),
  },
  "automations: activateFlowById": {
    call: (at) => automations(at)["activateFlowById"]!(made.flow, {}),
    sends: () => ["POST", `/automation/flow/${made.flow}/activate`, {}],
    gives: started,
  },
  "automations: activateFlowTrigger": {
    call: (at) => automations(at)["activateFlowTrigger"]!("Payment", "call", { paid: true }),
    sends: () => ["POST", "/automation/flow/trigger/activate-by-name?flowName=Payment&triggerName=call", { paid: true }],
    gives: started,
  },
  "automations: activateFlowTriggerById": {
    call: (at) => automations(at)["activateFlowTriggerById"]!(made.flow, made.trigger, { paid: true }),
    sends: () => ["POST", `/automation/flow/${made.flow}/trigger/${made.trigger}/activate`, { paid: true }],
    gives: started,
  },
};
