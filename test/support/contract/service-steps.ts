import { expect } from "vitest";
import { changeAutomation, createAutomation, listTriggers } from "#baas/automations";
import { savePushTemplate } from "#baas/devices";
import { createEmailTemplate } from "#baas/email";
import { one, sql } from "#platform/database";
import type { RestContext } from "../../../src/api/rest/index.ts";
import {
  anyOfType,
  type StepContext,
  createStep,
  type ContractStep,
  type ContractSteps,
  untyped,
} from "./contract-run.ts";

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
const AUTOMATION = {
  triggers: [
    { kind: "call", name: "call" },
    { kind: "call", name: "paid", starts: false },
  ],
  steps: [{ kind: "wait", for: "paid", seconds: 3_600 }],
};
/** Ids of an automation and its trigger, which earlier steps have created. */
const createdIds = { flow: "", trigger: "" };

/** Creates the push and email templates and the automation for the steps below. */
export async function createServiceFixtures({
  database,
  mails,
  flows,
}: RestContext): Promise<{ flow: string; trigger: string }> {
  await database.inTransaction((tx) => savePushTemplate(tx, { ...FROST, os: "ALL" }));
  await createEmailTemplate(mails, {
    name: "Welcome",
    subject: "Welcome, {name}",
    text: "Hello {name}.",
    html: "",
  });
  createdIds.flow = await createAutomation(flows, { name: "Payment", definition: AUTOMATION });
  await changeAutomation(flows, createdIds.flow, { enabled: true });
  flows.watched.forget();
  createdIds.trigger = (await listTriggers(flows, createdIds.flow)).find(({ name }) => name === "call")!.id;
  return createdIds;
}

const sentAnswer: ContractStep["gives"] = () => ({
  messageId: anyOfType(String),
  status: anyOfType(String),
  errorMessage: null,
});
const messaging = ({ app }: StepContext) => untyped(app.Messaging);
const DEVICE = { uuid: "phone", platform: "ios", version: "17.4" };
const recipients = ["ines@example.org"];

/** Devices, push and email: section 9. */
export const DEVICE_STEPS: ContractSteps = {
  "messaging: registerDevice": {
    call: ({ app }) => {
      (app as unknown as { setupDevice: (device: object) => void }).setupDevice(DEVICE);
      return app.Messaging.registerDevice("token", ["garden"]);
    },
    sends: () => [
      "POST",
      "/messaging/registrations",
      { deviceToken: "token", deviceId: "phone", os: "IOS", channels: ["garden"] },
    ],
    gives: () => ({ registrationId: anyOfType(String) }),
  },
  "messaging: getRegistrations": createStep(
    (at) => messaging(at)["getRegistrations"]!(),
    ["GET", "/messaging/registrations/phone"],
    [{ deviceToken: "token", os: "IOS", channels: ["garden"], expiration: null }],
  ),
  "messaging: getPushTemplates": createStep(
    (at) => messaging(at)["getPushTemplates"]!("IOS"),
    ["GET", "/messaging/pushtemplates/IOS"],
    {
      frost: { name: "frost" },
    },
  ),
  "messaging: pushWithTemplate": {
    call: ({ server }) => untyped(server.Messaging)["pushWithTemplate"]!("frost", { name: "Mira" }),
    sends: () => ["POST", "/messaging/push/frost", { templateValues: { name: "Mira" } }],
    gives: sentAnswer,
  },
  "messaging: unregisterDevice": createStep(
    (at) => messaging(at)["unregisterDevice"]!(),
    ["DELETE", "/messaging/registrations/phone"],
    {
      result: true,
    },
  ),
  "messaging: sendEmail": {
    call: ({ server }) =>
      untyped(server.Messaging)["sendEmail"]!("Frost", { textmessage: "Close the windows." }, recipients),
    sends: () => [
      "POST",
      "/messaging/email",
      { subject: "Frost", bodyparts: { textmessage: "Close the windows." }, to: recipients },
    ],
    gives: sentAnswer,
  },
  "messaging: sendEmailFromTemplate": {
    call: ({ server }) => {
      const envelopes = (
        server.Messaging as unknown as { EmailEnvelope: { create: (given: object) => unknown } }
      ).EmailEnvelope;
      return untyped(server.Messaging)["sendEmailFromTemplate"]!(
        "Welcome",
        envelopes.create({ addresses: recipients }),
        {
          name: "Ines",
        },
      );
    },
    sends: () => [
      "POST",
      "/emailtemplate/send",
      { "template-name": "Welcome", "template-values": { name: "Ines" }, addresses: recipients },
    ],
    gives: sentAnswer,
  },
};

const automations = ({ server }: StepContext) =>
  untyped((server as unknown as Record<string, unknown>)["Automations"]);
const readRunState = async ({ database }: StepContext, id: string) =>
  (await one(database.db, sql<{ state: string }>`select state from automation_runs where id = ${id}`)).state;
const startedAnswer: ContractStep["gives"] = () => ({ executionId: anyOfType(String) });

/** Automations: section 14. */
export const AUTOMATION_STEPS: ContractSteps = {
  "automations: activateFlow": {
    call: (at) => automations(at)["activateFlow"]!("Payment", { name: "Ines" }),
    sends: () => [
      "POST",
      "/automation/flow/activate-by-name",
      { name: "Payment", initialData: { name: "Ines" } },
    ],
    gives: startedAnswer,
  },
  "automations: loadFlowExecutionContext": {
    async call(at) {
      const id = at.last("executionId");
      if (at.doesSteps) await expect.poll(() => readRunState(at, id)).toBe("waiting");
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
    call: (at) => automations(at)["activateFlowById"]!(createdIds.flow, {}),
    sends: () => ["POST", `/automation/flow/${createdIds.flow}/activate`, {}],
    gives: startedAnswer,
  },
  "automations: activateFlowTrigger": {
    call: (at) => automations(at)["activateFlowTrigger"]!("Payment", "call", { paid: true }),
    sends: () => [
      "POST",
      "/automation/flow/trigger/activate-by-name?flowName=Payment&triggerName=call",
      { paid: true },
    ],
    gives: startedAnswer,
  },
  "automations: activateFlowTriggerById": {
    call: (at) =>
      automations(at)["activateFlowTriggerById"]!(createdIds.flow, createdIds.trigger, { paid: true }),
    sends: () => [
      "POST",
      `/automation/flow/${createdIds.flow}/trigger/${createdIds.trigger}/activate`,
      { paid: true },
    ],
    gives: startedAnswer,
  },
};
